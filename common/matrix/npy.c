/* SPDX-License-Identifier: MIT */
#include "common/matrix/npy.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT = 65536, ALIGNMENT = 64 };

/* A message about a file, until this thread's next one. */
static const char *wrong(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *wrong(const char *path, const char *format, ...)
{
    static _Thread_local char why[PATH_MAX + 256];
    va_list arguments;
    int used = snprintf(why, sizeof why, "%s: ", path);
    va_start(arguments, format);
    if (used >= 0 && (size_t)used < sizeof why)
        vsnprintf(why + used, sizeof why - (size_t)used, format, arguments);
    va_end(arguments);
    return why;
}

/* The value of a field in the header's text, or NULL. */
static const char *field(const char *text, const char *name)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s':", name);
    const char *at = strstr(text, quoted);
    return at ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : NULL;
}

static const char *read_text(const char *path, const char *text, struct npy *npy)
{
    const char *type = field(text, "descr"), *order = field(text, "fortran_order"),
               *shape = field(text, "shape");
    int end = 0;
    if (!type || !order || !shape)
        return wrong(path, "its header lacks descr, fortran_order or shape");
    if (strncmp(type, "'<f4'", 5) != 0 && strncmp(type, "'<f8'", 5) != 0)
        return wrong(
            path,
            "its elements are %.*s and must be '<f4' or '<f8': numpy.save(f, x.astype('<f4'))",
            (int)strcspn(type, ",}"), type);
    npy->precision = type[3] == '4' ? PRECISION_F32 : PRECISION_F64;
    if (strncmp(order, "False", 5) != 0)
        return wrong(
            path,
            "it is stored by columns; numpy.save(f, numpy.ascontiguousarray(x)) stores rows");
    if (sscanf(shape, "(%ld, %ld)%n", &npy->rows, &npy->cols, &end) != 2 || !end)
        return wrong(path, "its shape is %.*s; it must be a matrix, (rows, columns)",
                     (int)strcspn(shape, ")") + 1, shape);
    if (npy->rows < 1 || npy->cols < 1 || npy->rows > 1 << 20 || npy->cols > 1 << 20)
        return wrong(path, "it is %ld x %ld; a matrix may have 1 to 1048576 rows and columns",
                     npy->rows, npy->cols);
    return NULL;
}

/* Reads the header, and leaves the file at the first element. */
static const char *read_header(FILE *file, const char *path, struct npy *npy)
{
    static const char magic[6] = "\x93NUMPY";
    unsigned char head[8], length[4] = {0};
    if (fread(head, 1, sizeof head, file) != sizeof head ||
        memcmp(head, magic, sizeof magic) != 0)
        return wrong(path, "it is not a .npy file (numpy.save() writes one)");
    size_t bytes = head[6] == 1 ? 2 : 4;
    if (head[6] < 1 || head[6] > 3)
        return wrong(path, "it has version %d of the format; 1 to 3 are known", head[6]);
    if (fread(length, 1, bytes, file) != bytes)
        return wrong(path, "it ends in its header");
    size_t count = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 |
                   (size_t)length[3] << 24;
    char *text = count < TEXT ? calloc(1, count + 1) : NULL;
    if (!text)
        return wrong(path, "its header claims to be %zu bytes long, which is impossible",
                     count);
    const char *found = fread(text, 1, count, file) == count
                            ? read_text(path, text, npy)
                            : wrong(path, "it ends in its header");
    npy->offset = (long)(sizeof head + bytes + count);
    free(text);
    return found;
}

const char *npy_look(const char *path, struct npy *npy)
{
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) /* opening a pipe would block */
        return wrong(path, "it is not a regular file");
    FILE *file = fopen(path, "rb");
    if (!file)
        return wrong(path, "%s", strerror(errno));
    const char *found = read_header(file, path, npy);
    if (!found) {
        long bytes = npy->rows * npy->cols * (long)precision_bytes(npy->precision);
        long there = fseek(file, 0, SEEK_END) == 0 ? ftell(file) - npy->offset : -1;
        if (there != bytes)
            found = wrong(path, "it has %ld bytes of elements, but %ld x %ld elements take %ld",
                          there, npy->rows, npy->cols, bytes);
    }
    fclose(file);
    return found;
}

static bool read_rows(FILE *file, enum precision precision, struct matrix *matrix, void *row)
{
    size_t cols = (size_t)matrix->cols;
    for (long i = 0; i < matrix->rows; i++) {
        if (fread(row, precision_bytes(precision), cols, file) != cols)
            return false;
        for (long j = 0; j < matrix->cols; j++)
            matrix_set(matrix, i, j,
                       precision == PRECISION_F32 ? ((float *)row)[j] : ((double *)row)[j]);
    }
    return true;
}

const char *npy_read(const char *path, struct matrix *matrix)
{
    struct npy npy;
    FILE *file = fopen(path, "rb");
    if (!file)
        return wrong(path, "%s", strerror(errno));
    void *row = malloc((size_t)matrix->cols * sizeof(double));
    const char *found = read_header(file, path, &npy);
    if (!found && (npy.rows != matrix->rows || npy.cols != matrix->cols || !row ||
                   !read_rows(file, npy.precision, matrix, row)))
        found = wrong(path, "it could not be read to its end, or it changed meanwhile");
    free(row);
    fclose(file);
    return found;
}

/* Writes header and elements; false on failure. */
static bool write_all(FILE *file, const struct matrix *matrix)
{
    static const char *const types[PRECISIONS] = {"<f4", "<f8", "<i4"};
    size_t size = precision_bytes(matrix->precision), cols = (size_t)matrix->cols;
    char text[128];
    int count = snprintf(text, sizeof text,
                         "{'descr': '%s', 'fortran_order': False, 'shape': (%ld, %ld), }",
                         types[matrix->precision], matrix->rows, matrix->cols);
    int padded = (10 + count + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - 10;
    fwrite("\x93NUMPY\x01\x00", 1, 8, file);
    putc(padded & 255, file), putc(padded >> 8, file);
    fprintf(file, "%-*s\n", padded - 1, text);
    for (long i = 0; i < matrix->rows; i++)
        fwrite((const char *)matrix->host + (size_t)(i * matrix->ld) * size, size, cols, file);
    return fflush(file) == 0 && !ferror(file);
}

/* Only a file may be replaced: renaming a file to /dev/null would remove the device. */
const char *npy_may_write(const char *path)
{
    struct stat there;
    return stat(path, &there) != 0 || S_ISREG(there.st_mode)
               ? NULL
               : wrong(path, "it is not a regular file; give another name");
}

const char *npy_has_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = ".";
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return access(folder, W_OK | X_OK) == 0
               ? NULL
               : wrong(path, "it cannot be written: folder %s: %s", folder, strerror(errno));
}

const char *npy_write(const char *path, const struct matrix *matrix)
{
    char unfinished[PATH_MAX];
    if (npy_may_write(path))
        return npy_may_write(path);
    snprintf(unfinished, sizeof unfinished, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(unfinished, "wb");
    if (!file)
        return wrong(path, "it cannot be written: %s", strerror(errno));
    bool good = write_all(file, matrix);
    int error = errno;
    good = fclose(file) == 0 && good;
    if (good && rename(unfinished, path) == 0)
        return NULL;
    error = good ? errno : error;
    remove(unfinished);
    return wrong(path, "it cannot be written: %s", strerror(error));
}
