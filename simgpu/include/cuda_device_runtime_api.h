/** @file cuda_device_runtime_api.h
 *  All of it is in cuda_runtime.h here. */
#include "cuda_runtime.h"
