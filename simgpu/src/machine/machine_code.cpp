/* SPDX-License-Identifier: MIT */
/** @file machine_code.cpp
 * Reads the program's instructions around an access if its address and value do not decide
 * whether two accesses race. Also removes the calls of the tracer from the program while
 * nothing is traced.
 */
#include "src/memory/arena.h"
#include "src/machine/machine.h"

#ifdef __x86_64__
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace simgpu
{

#if defined(__x86_64__)

extern "C" void simgpu_access_comes() __attribute__((weak, visibility("hidden")));

namespace
{

struct Instruction {
    int length = 0;     /**< 0: unknown */
    bool jumps = false; /**< to a distance given in the instruction */
    int32_t by = 0;     /**< that distance, from the end of the instruction */
};

/** The length of a ModRM byte with the bytes that belong to it. */
int operand_length(const unsigned char *modrm)
{
    int mode = modrm[0] >> 6, base = modrm[0] & 7, length = 1;
    if (mode == 3)
        return 1;
    if (base == 4) {
        length++;
        base = modrm[1] & 7;
    }
    return length + (mode == 1 ? 1 : mode == 2 || base == 5 ? 4 : 0);
}

/** Is this opcode of the second map (after 0f, or in VEX and EVEX) followed by a byte more? */
bool has_byte_in_second_map(unsigned char opcode)
{
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xa4 || opcode == 0xac ||
           opcode == 0xba || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6);
}

/** Decodes the instructions that compilers use. */
Instruction decode(const unsigned char *code)
{
    const unsigned char *at = code;
    bool word = false, wide = false; /* operands of 16 and of 64 bits */
    for (; *at == 0x66 || *at == 0xf2 || *at == 0xf3 || *at == 0xf0 || *at == 0x2e ||
           *at == 0x64 || *at == 0x65 || *at == 0x67;
         at++)
        word |= *at == 0x66;
    if ((*at & 0xf0) == 0x40) {
        wide = *at & 8;
        at++;
    }
    int full = word ? 2 : 4, constant = 0;
    bool operand = true;
    Instruction i;
    unsigned char op = *at++;
    if (op == 0xc5 || op == 0xc4 || op == 0x62) { /* VEX and EVEX */
        int map = op == 0xc5 ? 1 : at[0] & 7;
        at += op == 0xc5 ? 1 : op == 0xc4 ? 2 : 3;
        op = *at++;
        constant = map == 3 || (map == 1 && has_byte_in_second_map(op));
        operand = !(map == 1 && op == 0x77); /* vzeroupper */
    } else if (op == 0x0f) {
        op = *at++;
        if (op == 0x38 || op == 0x3a) {
            constant = op == 0x3a;
            at++;
        } else if ((op & 0xf0) == 0x80) {
            i.jumps = true;
            operand = false;
            constant = 4;
        } else if (op == 0x05 || op == 0x0b || op == 0x31 || op == 0xa2 ||
                   (op & 0xf8) == 0xc8) {
            operand = false;
        } else {
            constant = has_byte_in_second_map(op);
        }
    } else if (op < 0x40) { /* add, or, adc, sbb, and, sub, xor, cmp */
        operand = (op & 7) < 4;
        constant = (op & 7) == 4 ? 1 : (op & 7) == 5 ? full : 0;
    } else if ((op & 0xf0) == 0x70 || op == 0xeb) {
        i.jumps = true;
        operand = false;
        constant = 1;
    } else if (op == 0xe9 || op == 0xe8) {
        i.jumps = op == 0xe9; /* a call returns */
        operand = false;
        constant = 4;
    } else if ((op & 0xf0) == 0x50 || (op & 0xf0) == 0x90 || (op >= 0xa4 && op <= 0xa7) ||
               (op >= 0xaa && op <= 0xaf) || op == 0xc3 || op == 0xc9 || op == 0xcc) {
        operand = false;
    } else if (op == 0x68 || op == 0x6a || op == 0xa8 || op == 0xa9 || (op & 0xf0) == 0xb0) {
        operand = false;
        bool byte = op == 0x6a || op == 0xa8 || op < 0xb8;
        constant = op == 0x68 || op == 0xa9 ? full : byte ? 1 : wide ? 8 : full;
    } else if (op == 0x69 || op == 0x81 || op == 0xc7) {
        constant = full;
    } else if (op == 0x6b || op == 0x80 || op == 0x83 || op == 0xc0 || op == 0xc1 ||
               op == 0xc6) {
        constant = 1;
    } else if (op == 0xf6 || op == 0xf7) { /* test has a constant; not and neg have none */
        constant = at[0] & 0x30 ? 0 : op == 0xf6 ? 1 : full;
    } else if (!(op == 0x63 || (op >= 0x84 && op <= 0x8f) || (op >= 0xd0 && op <= 0xd3) ||
                 (op >= 0xd8 && op <= 0xdf) || op == 0xfe || op == 0xff)) {
        return i;
    }
    if (operand)
        at += operand_length(at);
    if (i.jumps && constant == 1)
        i.by = (signed char)*at;
    else if (i.jumps)
        memcpy(&i.by, at, sizeof i.by);
    i.length = (int)(at - code) + constant;
    return i;
}

const unsigned char *code_at(uint32_t pc)
{
    return reinterpret_cast<const unsigned char *>(image_bias + pc);
}

} // namespace

/** What comes after the call of simgpu_access_comes that begins here, if one does. */
static const unsigned char *after_unseen_call(const unsigned char *code)
{
    static const unsigned char begin[] = {0x48, 0x8d, 0x64, 0x24, 0x80, 0x57},
                               end[] = {0x48, 0x8d, 0xa4, 0x24, 0x80, 0, 0, 0};
    if (memcmp(code, begin, sizeof begin) != 0)
        return code;
    const unsigned char *at = code;
    while (memcmp(at, end, sizeof end) != 0) {
        int length = decode(at).length;
        if (!length)
            return code;
        at += length;
    }
    return at + sizeof end;
}

bool stores_constant(uint32_t pc)
{
    const unsigned char *code = after_unseen_call(code_at(pc));
    while (*code == 0x66 || (*code & 0xf0) == 0x40) /* size and register prefixes */
        code++;
    return *code == 0xc6 || *code == 0xc7; /* mov of a constant to memory */
}

/* Decodes one instruction after the other: the bytes of a call's distance may look like a jump
 * back, depending on where the linker puts the tracer. */
bool polls(uint32_t pc)
{
    const unsigned char *code = code_at(pc);
    constexpr int call_length = 5; /* the call of the tracer just before */
    for (int at = 0, added = 0; at - added < 64;) {
        int call = (int)(after_unseen_call(code + at) - (code + at));
        at += call, added += call;
        Instruction i = decode(code + at);
        if (!i.length)
            return true;
        at += i.length;
        if (i.jumps && at + i.by <= -call_length && at + i.by > -512)
            return true;
    }
    return false;
}

namespace
{

constexpr unsigned char call = 0xe8, test = 0xa9,
                        load_edi =
                            0xbf; /* the opcodes of `call`, `test eax, ...`, `mov ..., edi` */

/** Where the program calls the tracer: places of call instructions that may be written. */
struct CallPlaces {
    std::vector<unsigned char *> places, unseen; /**< of the tracer, of simgpu_access_comes */

    CallPlaces() { dl_iterate_phdr(look_at, this); }

    static int look_at(dl_phdr_info *info, size_t, void *self)
    {
        if (info->dlpi_addr != image_bias)
            return 0;
        for (int i = 0; i < info->dlpi_phnum; i++) {
            const ElfW(Phdr) &part = info->dlpi_phdr[i];
            if (part.p_type == PT_LOAD && part.p_flags & PF_X)
                static_cast<CallPlaces *>(self)->look_through(
                    reinterpret_cast<unsigned char *>(image_bias + part.p_vaddr), part.p_memsz);
        }
        return 1;
    }

    void look_through(unsigned char *code, size_t size)
    {
        std::vector<uintptr_t> tracer = tracer_calls();
        std::sort(tracer.begin(), tracer.end());
        const size_t before = places.size();
        unsigned char *first = nullptr, *last = nullptr;
        for (size_t i = 0; i + 5 <= size; i++) {
            if (code[i] != call)
                continue;
            int32_t by;
            memcpy(&by, code + i + 1, sizeof by);
            uintptr_t to = (uintptr_t)(code + i + 5) + (uintptr_t)(intptr_t)by;
            bool traced = std::binary_search(tracer.begin(), tracer.end(), to);
            if (!traced && to != (uintptr_t)simgpu_access_comes)
                continue;
            (traced ? places : unseen).push_back(last = code + i);
            first = first ? first : last;
        }
        if (!first)
            return;
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
                  begin = (uintptr_t)first / page * page,
                  end = ((uintptr_t)last + page) / page * page;
        if (mprotect(reinterpret_cast<void *>(begin), end - begin,
                     PROT_READ | PROT_WRITE | PROT_EXEC))
            places.resize(before), unseen.clear(); /* a system where code cannot be written */
    }
};

const CallPlaces &call_places()
{
    static const CallPlaces all;
    return all;
}

} // namespace

uintptr_t tracer_call_before(uintptr_t access)
{
    constexpr uintptr_t call_length = 5, near = 64;
    const std::vector<unsigned char *> &places = call_places().places;
    auto after = std::lower_bound(places.begin(), places.end(), (unsigned char *)access);
    if (after == places.begin())
        return 0;
    uintptr_t back = (uintptr_t)after[-1] + call_length;
    return back <= access && access - back <= near ? back : 0;
}

/* A call has five bytes. With another first byte it is `test`, which changes only the flags, as
 * a call may do too: host threads that run the code at the same time see one or the other. */
void call_tracer(bool wanted)
{
    static std::mutex mutex;
    static bool called = true;
    std::lock_guard<std::mutex> lock(mutex);
    if (called == wanted || !settings.standalone)
        return;
    for (unsigned char *place : call_places().places)
        __atomic_store_n(place, wanted ? call : test, __ATOMIC_RELAXED);
    for (unsigned char *place : call_places().unseen) /* edi is free there, the flags are not */
        __atomic_store_n(place, wanted ? call : load_edi, __ATOMIC_RELAXED);
    called = wanted;
}

#else

void call_tracer(bool) {}

uintptr_t tracer_call_before(uintptr_t) { return 0; }

bool stores_constant(uint32_t) { return true; /* the value alone decides */ }

bool polls(uint32_t) { return true; }

#endif

} // namespace simgpu
