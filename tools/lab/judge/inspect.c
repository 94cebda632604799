/* SPDX-License-Identifier: MIT */
/** @file inspect.c
 * What an exercise's object file calls and defines for others, read from its ELF symbols.
 *
 * Only what an exercise may need is allowed, so a new way to call somebody else's product, or
 * the checker, is closed before anyone finds it.
 */
#include <elf.h>
#include <string.h>

#include "compile.h"

/* The tables of one object file. */
struct object {
    const char *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    int count;
    const char *names; /* names of the sections */
};

static bool open_object(struct object *o, const char *path)
{
    o->bytes = read_file(path, &o->size);
    const Elf64_Ehdr *header = (const void *)o->bytes;
    if (!o->bytes || o->size < sizeof *header ||
        memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > o->size ||
        header->e_shstrndx >=
            header->e_shnum) /* no section, or more than fit into this field */
        return false;
    o->sections = (const void *)(o->bytes + header->e_shoff);
    o->count = header->e_shnum;
    o->names = o->bytes + o->sections[header->e_shstrndx].sh_offset;
    return true;
}

/* Functions of the standard library and of the compiler's library that may be called. */
static const char harmless[] =
    "memset memcpy memmove memcmp memchr bcmp strlen abs labs llabs div ldiv rand srand malloc "
    "calloc realloc free aligned_alloc abort exit __assert_fail printf fprintf puts putchar "
    "fputs fflush vprintf vfprintf snprintf perror stdout stderr __errno_location "
    "__stack_chk_fail _GLOBAL_OFFSET_TABLE_ __dso_handle clock difftime isnan isinf finite "
    "__isnan __isinf __finite __isnanf __isinff isalpha isdigit isspace toupper tolower "
    "__ctype_b_loc";

/* The same, on the processor only: the simulated GPU does not see what they read or write. */
static const char on_the_processor[] =
    "strcpy strncpy strcat strncat strtol strtod qsort sprintf vsprintf vsnprintf "
    "posix_memalign time clock_gettime frexp frexpf frexpl modf modff modfl sincos sincosf "
    "sincosl strnlen strchr strrchr strstr strcmp strncmp atoi atol atof bsearch fwrite "
    "getentropy bzero rand_r putc fputc";

/* Functions of <math.h>, each also with an f or an l at its end. */
static const char math[] =
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 "
    "log10 log1p pow sqrt cbrt hypot fabs fdim fma fmin fmax fmod remainder floor ceil round "
    "lround llround rint lrint llrint nearbyint trunc ldexp nextafter nexttoward "
    "copysign scalbn scalbln ilogb logb erf erfc tgamma lgamma";

static const char rounding[] =
    "ceil floor rint round trunc nearbyint lrint llrint lround llround ldexp fabs fma";

static bool is_math(const char *list, const char *name)
{
    size_t length = strlen(name);
    return has_word(list, name) || (length > 1 && strchr("fl", name[length - 1]) &&
                                    has_word(list, text("%.*s", (int)length - 1, name)));
}

/* Functions of the compiler's library are named after the types that they work on, such as
 * __extendsftf2 and __divmodti4: a compiler calls them for long, half or wide numbers. */
static bool is_arithmetic(const char *name)
{
    size_t length = strlen(name), digit = length && strchr("234", name[length - 1]);
    return begins_with(name, "__") && length > 5 &&
           has_word("hf sf df xf tf hc sc dc xc tc si di ti",
                    text("%.2s", name + length - digit - 2));
}

/* The name without what a distribution's compiler adds to it: __memcpy_chk is memcpy. */
static const char *unchecked(const char *name)
{
    const char *end = strstr(name, "_chk");
    return begins_with(name, "__") && end && !end[4]
               ? text("%.*s", (int)(end - name - 2), name + 2)
               : name;
}

/* Whether the headers of a GPU exercise call this function. */
static bool is_gpu_runtime(const struct job *job, const char *name)
{
    static const char *const cuda[] = {"cudaDevice",       "cudaEvent",
                                       "cudaFree",         "cudaFunc",
                                       "cudaGetDevice",    "cudaGetError",
                                       "cudaGetLast",      "cudaMemGetInfo",
                                       "cudaMemset",       "cudaOccupancy",
                                       "cudaPeek",         "cudaSetDevice",
                                       "cudaStreamCreate", "cudaStreamDestroy",
                                       "cudaStreamQuery",  "cudaStreamSynchronize",
                                       "cudaStreamWait",   "cudaDestroyTextureObject"};
    /* Nothing else of C++'s library: the simulated GPU would not see it read memory. */
    static const char cpp[] =
        "_Znwm _Znam _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm __cxa_guard_acquire __cxa_guard_release "
        "__cxa_guard_abort __cxa_throw_bad_array_new_length __cxa_pure_virtual "
        "__gxx_personality_v0 _Unwind_Resume";
    /* What the headers' functions of these CUDA names call; texture reads are not counted. */
    static const char refused[] =
        "simgpu_create_texture simgpu_symbol_copy simgpu_malloc_managed";
    bool known = has_word("cudaMalloc cudaCreateTextureObject", name) || has_word(cpp, name) ||
                 begins_with(name, "__tsan_") || begins_with(name, "simgpu_") ||
                 begins_with(name, "gpu_");
    for (size_t i = 0; i < sizeof cuda / sizeof *cuda; i++)
        known = known || begins_with(name, cuda[i]);
    return job->place != ON_CPU && !has_word(refused, name) && known;
}

static bool is_allocator(const char *name)
{
    return strstr(name, "alloc") || begins_with(name, "simgpu_seen_new") ||
           has_word("posix_memalign _Znwm _Znam", name);
}

/* Functions of <omp.h>: thread numbers and counts, the time, and locks. */
static const char openmp[] =
    "omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_num_procs "
    "omp_get_thread_limit omp_get_wtime omp_get_wtick omp_in_parallel omp_get_level "
    "omp_set_num_threads omp_set_dynamic omp_get_dynamic omp_set_schedule omp_get_schedule "
    "omp_init_lock omp_destroy_lock omp_set_lock omp_unset_lock omp_test_lock";
/* Of exercises/apart.h: what they do is counted. */
static const char counted[] =
    "apart_begin apart_do apart_read apart_made apart_count apart_reduce apart_reduce_at_least "
    "apart_next apart_note";
/* Most bytes of static variables in an exercise that counts workspace. */
enum { SMALL_TABLES = 2048 };

/* Tables that a frame names as the bound of errors; a region may not (check_regions()). */
static const char tables[] = "strassen_scheme winograd_scheme";

static bool may_call(const struct job *job, const char *name)
{
    const char *allowed = goal_words(job->lab, job->exercise, "allow"),
               *forbidden = goal_words(job->lab, job->exercise, "forbid");
    name = unchecked(name);
    /* Where nothing may be divided, many a function would do it: of those that the frame does
       not call, rounding is left. */
    if (forbidden && strchr(forbidden, '%') &&
        (is_math(math, name) ? !is_math(rounding, name) : is_arithmetic(name)) &&
        !has_word(exercise_source(job->lab, job->exercise, STUB), name))
        return false;
    if (is_allocator(name) && counts_workspace(job->lab, job->exercise))
        return false;
    return has_word(harmless, name) || is_math(math, name) || is_arithmetic(name) ||
           begins_with(name, "model_") ||
           (job->place == ON_CPU &&
            (has_word(on_the_processor, name) || has_word(openmp, name) ||
             ((begins_with(name, "GOMP_") || begins_with(name, "__kmpc_")) &&
              !strstr(name, "alloc")))) ||
           has_word(counted, name) || has_word(tables, name) || is_gpu_runtime(job, name) ||
           (allowed && begins_with(name, allowed));
}

/* Why a call is refused. */
static const char *why_refused(const struct job *job, const char *name, char **detail)
{
    static const char copies[] =
        "simgpu_symbol_copy simgpu_malloc_managed cudaMallocHost cudaHostRegister cudaMemcpy "
        "cudaMemcpyAsync cudaMemcpy2D cudaMemcpy2DAsync";
    bool allocates = is_allocator(name);
    if (begins_with(name, "simgpu_seen_"))
        name += strlen("simgpu_seen_");
    const char *shown = strcmp(name, "simgpu_malloc") == 0 ? "cudaMalloc"
                        : strcmp(name, "simgpu_symbol_copy") == 0
                            ? "cudaMemcpyFromSymbol or cudaMemcpyToSymbol"
                        : strcmp(name, "simgpu_malloc_managed") == 0 ? "cudaMallocManaged"
                        : strcmp(name, "simgpu_create_texture") == 0 ? "cudaCreateTextureObject"
                                                                     : name;
    if (has_word(copies, name)) {
        *detail = text(
            "It calls %s. Copy by a kernel instead: copies of the runtime's are not counted, "
            "and\nreach the processor, which could make the product.",
            shown);
        return "the GPU is to multiply";
    }
    if (allocates) {
        *detail =
            text("It calls %s. Its memory must be in the workspace, which is counted.", shown);
        return "memory outside the workspace";
    }
    if (shown != name) {
        *detail =
            text("It is to be written without %s: fetches through a texture are not counted.",
                 shown);
        return DOES_WITHOUT;
    }
    *detail = text(
        job->place == ON_SIM && has_word(on_the_processor, unchecked(name))
            ? A_GPU_HAS_NO
            : "It calls %s - the product is to be yours, and nothing else is needed for it.",
        name);
    return "it calls what it may not";
}

/* Checks a name that other files can see; the exercise's tables are allowed. */
static const char *check_defined(const struct job *job, const char *name, bool weak,
                                 char **detail)
{
    bool in_cpp = job->place != ON_CPU && begins_with(name, "_Z");
    const char *tables =
        job->place == ON_CPU ? "step_f32 step_f64" : "step_f32_traced step_f64_traced";
    if (has_word(tables, name) || (weak && begins_with(name, "DW.ref.")) || in_cpp)
        return NULL;
    *detail = strcmp(name, "main") == 0
                  ? text("It has a main(). The checker's main() calls what you write.")
                  : text("%s can be seen from outside: write `static` before it.", name);
    return "a name that is not static";
}

/* Refuses sections with functions that are called before main(), or after it. */
static const char *check_sections(const struct object *o, const struct job *job, char **detail)
{
    size_t kept = 0;
    for (int i = 0; i < o->count; i++)
        if ((o->sections[i].sh_flags & (SHF_WRITE | SHF_ALLOC)) == (SHF_WRITE | SHF_ALLOC) &&
            !begins_with(o->names + o->sections[i].sh_name, ".data.rel.ro") && /* constants */
            strcmp(o->names + o->sections[i].sh_name, "simgpu_own") != 0) /* by assemble.c */
            kept += o->sections[i].sh_size;
    if (kept > SMALL_TABLES && counts_workspace(job->lab, job->exercise)) {
        *detail = text("It has variables of %zu bytes. Its memory must be in the "
                       "workspace, which is counted.",
                       kept);
        return "memory outside the workspace";
    }
    /* A file with kernels has one function that registers them with the simulated GPU, and one
     * of the tracer's. */
    size_t most = job->place == ON_CPU ? 0 : sizeof(void *);
    for (int i = 0; i < o->count; i++) {
        const char *name = o->names + o->sections[i].sh_name;
        bool early = begins_with(name, ".init_array") || begins_with(name, ".preinit_array") ||
                     begins_with(name, ".ctors") || strcmp(name, ".init") == 0;
        bool late = begins_with(name, ".fini_array") || begins_with(name, ".dtors") ||
                    strcmp(name, ".fini") == 0;
        if ((early && o->sections[i].sh_size > most) || late) {
            *detail = text("It runs %s the check: only what is called counts.",
                           early ? "before" : "after");
            return "code outside the run";
        }
    }
    return NULL;
}

/* Whether two variables are one, by an attribute: the answer's would be a counter of the
 * frame's. */
static bool is_alias(const struct object *o, const Elf64_Sym *x, const Elf64_Sym *y)
{
    return x->st_shndx == y->st_shndx && x->st_value == y->st_value && x->st_size &&
           y->st_size && ELF64_ST_TYPE(x->st_info) == STT_OBJECT &&
           ELF64_ST_TYPE(y->st_info) == STT_OBJECT && x->st_shndx < o->count &&
           (o->sections[x->st_shndx].sh_flags & SHF_WRITE);
}

static const char *check_symbols(const struct object *o, const struct job *job, char **detail)
{
    for (int i = 0; i < o->count; i++) {
        if (o->sections[i].sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *symbols = (const void *)(o->bytes + o->sections[i].sh_offset);
        const char *names = o->bytes + o->sections[o->sections[i].sh_link].sh_offset;
        size_t count = o->sections[i].sh_size / sizeof *symbols;
        for (size_t s = 1; s < count; s++) {
            const char *name = names + symbols[s].st_name, *headline = NULL;
            int binding = ELF64_ST_BIND(symbols[s].st_info);
            for (size_t other = 1; other < s && !headline; other++)
                if (is_alias(o, &symbols[s], &symbols[other]))
                    headline = "not plain C", *detail = text("%s is another name of %s.", name,
                                                             names + symbols[other].st_name);
            if (headline)
                return headline;
            if (ELF64_ST_TYPE(symbols[s].st_info) == STT_GNU_IFUNC)
                headline = "not plain C",
                *detail = text("%s is chosen before the check begins.", name);
            else if (binding == STB_LOCAL || !*name)
                continue;
            else if (symbols[s].st_shndx != SHN_UNDEF)
                headline = check_defined(job, name, binding == STB_WEAK, detail);
            else if (!may_call(job, name))
                headline = why_refused(job, name, detail);
            if (headline)
                return headline;
        }
    }
    return NULL;
}

static uint64_t code; /* of the object file that was looked at last */

uint64_t compiled_code(void) { return code; }

const char *inspect(const struct job *job, const char *path, char **detail)
{
    struct object object;
    if (job->place == ON_CUDA)
        return NULL; /* the simulated GPU's build of the same text has been checked */
    if (!open_object(&object, path)) {
        *detail = text("Its object file is larger than 16 MiB, has too many sections, or is no "
                       "64-bit ELF file.");
        return "what it compiles to cannot be looked at";
    }
    code = 1;
    for (int i = 0; i < object.count; i++)
        for (size_t at = 0, size = object.sections[i].sh_size;
             (object.sections[i].sh_flags & SHF_EXECINSTR) && at < size; at++)
            code = (code ^ (unsigned char)object.bytes[object.sections[i].sh_offset + at]) *
                   1099511628211u;
    const char *headline = check_sections(&object, job, detail);
    return headline ? headline : check_symbols(&object, job, detail);
}
