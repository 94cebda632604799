#include "diagnose.h"
const char *diagnose_nan(const struct options *o, const struct result *r) { (void)o, (void)r; return NULL; }
