/** @file vector_types.h
 *  CUDA's vector types. */
#include "cuda_runtime_api.h"
