/* SPDX-License-Identifier: MIT */
/** @file
 * The ratios to the vendor's library, printed from recorded times: none where the library's
 * times scatter, and a warning where it took much longer next to one variant than next to
 * another.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/measure/report.h"

/* What is printed of two variants that took 20 ms each, with the vendor's median and fastest
   run next to each; blanks and ends of lines become one blank. */
static char *printed(const double vendor[2][2])
{
    static const struct variant variants[] = {{.name = "first"}, {.name = "second"}};
    static const struct step step = {.name = "recorded", .idea = "times", .variants = variants};
    static struct outcome outcome; /* too large for the stack */
    const struct options options = {.step = &step, .m = 8, .n = 8, .k = 8, .threads = 1};
    char *text = NULL, *to;
    size_t size;
    FILE *terminal = stdout;
    outcome = (struct outcome){.vendor = "vendor", .right = 2, .count = 2};
    stdout = open_memstream(&text, &size);
    if (!stdout)
        exit(EXIT_RESOURCE);
    for (int i = 0; i < 2; i++) {
        outcome.results[i] = (struct result){
            .variant = &variants[i],
            .timing = {.reps = 5, .median = 20, .min = 19},
            .reference = "vendor",
            .reference_timing = {.reps = 5, .median = vendor[i][0], .min = vendor[i][1]},
            .verdict = {.passed = true},
            .judged = JUDGED_ALL,
            .counts = {-1, -1, -1},
            .cost = {-1, -1, -1}};
        report_result(&options, &outcome.results[i]);
    }
    report_end(&options, &outcome);
    fclose(stdout);
    stdout = terminal;
    to = text;
    for (const char *from = text; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
    return text;
}

int main(void)
{
    static const char warning[] =
        "took 20.000 ms next to one variant and 90.000 ms next to another";
    static const struct {
        double vendor[2][2];
        const char *ratios[2]; /* after GFLOP/s and before the workspace */
        bool warns;
    } cases[] = {
        {{{20, 19}, {22, 19}}, {"0.00 1.000 ", "0.00 1.100 "}, false},
        {{{20, 19}, {90, 80}}, {"0.00 1.000 ", "0.00 4.500 "}, true},
        {{{20, 19}, {90, 19}}, {"0.00 1.000 ", "0.00 - "}, false},
        {{{90, 19}, {90, 19}}, {"0.00 - ", "0.00 - "}, false},
    };
    int failures = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said = printed(cases[i].vendor), *first = strstr(said, "first"),
             *second = strstr(said, "second");
        bool right = first && second && strstr(first, cases[i].ratios[0]) &&
                     strstr(first, cases[i].ratios[0]) < second &&
                     strstr(second, cases[i].ratios[1]) &&
                     !strstr(said, warning) == !cases[i].warns;
        if (!right)
            printf("FAILED: case %zu: %s\n", i, said);
        failures += !right;
        free(said);
    }
    return failures > 0;
}
