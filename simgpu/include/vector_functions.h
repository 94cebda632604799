/** @file vector_functions.h
 *  CUDA's make_ functions. */
#include "cuda_runtime_api.h"
