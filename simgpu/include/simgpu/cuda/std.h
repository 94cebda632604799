/* SPDX-License-Identifier: MIT */
/** @file std.h
 * cuda::std, the C++ library for kernels: here it is the host's.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_STD_H
#define SIMGPU_INCLUDE_SIMGPU_STD_H

#include <array>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda
{
namespace std
{
using namespace ::std;
}
} // namespace cuda

#endif
