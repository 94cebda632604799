/** @file device_functions.h
 *  All of it is in cuda_runtime.h here. */
#include "cuda_runtime.h"
