/* SPDX-License-Identifier: MIT */
/** @file xorwow.cpp
 * Skips numbers of XORWOW, the default generator of cuRAND (Marsaglia, Xorshift RNGs, 2003). A
 * step is linear in the 160 bits of its state, so 2^k steps are a matrix of bits, and the
 * square of that matrix is 2^(k+1) steps.
 */
#include "include/simgpu/hooks.h"

namespace simgpu
{
namespace
{

enum { words = 5, bits = 32 * words, powers = 67 + 64 };

/** Row b is what becomes of a state in which only bit b is set. */
struct Steps {
    unsigned row[bits][words];
    void apply(unsigned v[words]) const
    {
        unsigned result[words] = {};
        for (int b = 0; b < bits; b++)
            if (v[b / 32] >> b % 32 & 1)
                for (int i = 0; i < words; i++)
                    result[i] ^= row[b][i];
        for (int i = 0; i < words; i++)
            v[i] = result[i];
    }
};

/** 2^k steps for each k. */
struct Powers {
    Steps of[powers] = {};
    Powers()
    {
        for (int b = 0; b < bits; b++) {
            unsigned v[words + 1] = {};
            v[b / 32] = 1u << b % 32;
            unsigned t = v[0] ^ v[0] >> 2;
            v[5] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
            for (int i = 0; i < words; i++)
                of[0].row[b][i] = v[i + 1];
        }
        for (int k = 1; k < powers; k++) {
            of[k] = of[k - 1];
            for (unsigned(&row)[words] : of[k].row)
                of[k - 1].apply(row);
        }
    }
};

} // namespace
} // namespace simgpu

extern "C" void simgpu_xorwow_skip(unsigned state[5], unsigned long long n, int power)
{
    if (n == 0)
        return;
    static const simgpu::Powers &all = *new simgpu::Powers;
    unsigned v[simgpu::words];
    for (int i = 0; i < simgpu::words; i++)
        v[i] = state[i];
    for (; n; n >>= 1, power++)
        if (n & 1)
            all.of[power].apply(v);
    for (int i = 0; i < simgpu::words; i++)
        state[i] = v[i];
}
