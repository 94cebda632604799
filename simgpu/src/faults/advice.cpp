/* SPDX-License-Identifier: MIT */
/** @file advice.cpp
 * Advice about an access outside its memory. It follows from the arguments of the launch, its
 * shape and the memory that was meant; where they leave a doubt, there is no advice.
 */
#include "src/tracer/tracer.h"

namespace simgpu
{

static const char *const pitch_advice =
    "The rows of this memory are padded: row y begins at (char *)pointer + y * pitch, and "
    "width and pitch count bytes.";

/** Calls `with` for each word of the arguments, of which some are pointers, until it returns
 * true. */
template <class F> static bool any_word(const simgpu_launch_desc &d, F with)
{
    uintptr_t word;
    for (size_t i = 0; i + sizeof word <= d.closure_size; i += sizeof word) {
        memcpy(&word, (const char *)d.closure + i, sizeof word);
        if (with(word))
            return true;
    }
    return false;
}

/** Does an argument, or a pointer inside one, lead into this allocation? */
static bool is_argument(const simgpu_launch_desc &d, const Allocation &a)
{
    return any_word(d, [&](uintptr_t word) {
        uint64_t at;
        return device_offset((const void *)word, &at) && at - a.offset < a.size;
    });
}

/** A parameter's name for a sentence. */
static std::string argument_name(const simgpu_launch_desc &d, int i)
{
    std::string name = parameter_name(d, i);
    return name.empty() ? format("Argument %d of the launch", i + 1) : "The argument " + name;
}

const char *bytes_advice(const Launch *launch, const Allocation &a, uint64_t word)
{
    const simgpu_launch_desc &d = launch->desc;
    size_t element = 1;
    for (int i = 0; i < d.argument_count; i++) {
        uint64_t at;
        if (d.arguments[i].pointer && device_offset(d.arguments[i].pointer, &at) &&
            at == a.offset)
            element = d.arguments[i].element;
    }
    uint64_t sizes[64], count = 0, numbers[16];
    unsigned known = 0;
    for (int i = 0; i < d.argument_count && known < 8; i++)
        if (!d.arguments[i].pointer && d.arguments[i].integer > 1)
            numbers[known++] = (uint64_t)d.arguments[i].integer;
    for (unsigned i = 0; i < known && count < 50; i++) {
        sizes[count++] = numbers[i];
        for (unsigned j = 0; j <= i && count < 50; j++)
            sizes[count++] = numbers[i] * numbers[j];
    }
    bool allocation = false, floats = false, right = false;
    for (uint64_t i = 0; i < count && element > 1; i++) {
        allocation |= a.size == sizes[i];
        floats |= element == sizeof(double) && a.size == sizes[i] * sizeof(float);
        right |= a.size == sizes[i] * element;
    }
    /* The counts of elements and of bytes may be among the arguments by chance. */
    bool outside = word >= a.offset + a.size;
    bool behind = outside && !right && word < a.offset + a.size * element;
    if (a.pitch)
        return pitch_advice;
    if (allocation && behind)
        return "cudaMalloc takes bytes, and this allocation has as many bytes as the array has "
               "elements: multiply by sizeof.";
    if (floats && behind)
        return "This allocation has as many times 4 bytes as the array has elements, and these "
               "have 8: multiply by the sizeof of its type.";
    if (a.size == sizeof(void *) && element < a.size && outside && !right)
        return "This allocation is as large as a pointer: sizeof of a pointer is not the size "
               "of its array. Multiply the number of elements by sizeof of one.";
    if (!a.filled || word < a.offset + a.filled || outside)
        return nullptr;
    SourceLine by = source_of(calling_pc_of(a.filled_by, a.filled_frames));
    std::string text = format("The copy or memset at %s fills only the first %zu of %llu bytes",
                              place_name(by).c_str(), a.filled, a.size);
    if (element > 1 && a.filled * element == a.size)
        text += ": it counts elements where bytes are meant (sizeof forgotten).";
    else
        text += ".";
    return kept(text);
}

const char *outside_advice(const Launch *launch, const Allocation &a, uint64_t offset)
{
    const simgpu_launch_desc &d = launch->desc;
    uint64_t distance = offset < a.offset ? a.offset - offset : offset - a.offset - a.size;
    if (const char *advice = bytes_advice(launch, a, offset))
        return advice;
    if (distance > std::max<uint64_t>(a.size, 1 << 20))
        return overflow_advice;
    if (!a.alias && !is_argument(d, a))
        return "";
    if (d.block[2] * d.grid[2] > 1)
        return "Usually the guard of one direction is missing or compares with the wrong size, "
               "or the index mixes up the directions.";
    if (d.block[1] * d.grid[1] > 1)
        return nullptr;
    return "Usually the guard `if (i < n)` is missing or compares with the wrong size, or the "
           "index is computed wrongly.";
}

const char *pointer_advice(const Launch *launch, uintptr_t address, bool null)
{
    constexpr uintptr_t one_array = 256 << 20, one_object = 64 << 10;
    const simgpu_launch_desc &d = launch->desc;
    uint64_t offset;
    auto leads_there = [&](uintptr_t pointer, uintptr_t reach) {
        return pointer && address - pointer < reach && pointer != (uintptr_t)d.kernel &&
               !device_offset((const void *)pointer, &offset);
    };
    bool any_null = false;
    for (int i = 0; i < d.argument_count; i++) {
        const simgpu_argument &argument = d.arguments[i];
        if (!null && leads_there((uintptr_t)argument.reference, one_object))
            return kept(argument_name(d, i) + " is a reference to the host's memory: pass it "
                                              "by value.");
        any_null |= argument.element && !argument.pointer;
        if (null && argument.element && !argument.pointer)
            return kept(argument_name(d, i) + " is a null pointer" +
                        (out_of_memory ? ": cudaMalloc had no memory." : "."));
        if (!null && leads_there((uintptr_t)argument.pointer, one_array))
            return kept(argument_name(d, i) +
                        " points to the host's memory: pass the pointer from cudaMalloc, or "
                        "allocate with cudaMallocManaged.");
    }
    if (null)
        return "No argument of the launch is a null pointer: this one is in a structure, or in "
               "memory that the kernel has read.";
    if (any_word(d, [&](uintptr_t word) {
            return leads_there(word, one_object) && !is_program_code(word);
        }))
        return "The pointer is inside an argument: a member of a structure, or what a lambda "
               "captures (in a member function [=] captures `this`). What it points to must be "
               "in device memory, too.";
    if (any_null) /* its offset may be the address, where all low addresses are mapped */
        return "";
    return "No argument of the launch points there: the kernel has read this pointer from "
           "memory. What it points to must be in device memory, too.";
}

const char *shared_advice(const Launch *launch, const SharedArray &array)
{
    if (array.offset == dynamic_shared_offset && launch->desc.shared)
        return "The third value between <<< and >>> counts bytes: usually it lacks a * "
               "sizeof(float), or counts one array where the kernel has two.";
    if (array.row > array.element && array.row < array.size)
        return nullptr; /* an array of rows: a tile */
    size_t elements = array.element ? array.size / array.element : 0;
    return elements && elements < launch->threads
               ? kept(format("The array has %zu elements, and the block has %u threads.",
                             elements, launch->threads))
               : "";
}

} // namespace simgpu
