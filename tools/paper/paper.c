/* SPDX-License-Identifier: MIT */
/** @file paper.c
 * Every figure and table of the four documents, and how this repository answers it:
 *
 *   paper --source FOLDER [--build FOLDER] [--results FOLDER] [--out FOLDER] [ITEM [--measure]]
 *   paper --source FOLDER --page FOLDER
 *
 * `./ladder paper` runs it.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/step.h"
#include "kept.h"
#include "paper.h"

static int usage(FILE *to, int status)
{
    fputs("usage: ./ladder paper [ITEM [--measure]]\n\n"
          "  without ITEM   lists every figure and table of the four documents, and how we "
          "answer each\n"
          "  ITEM           shows one: the document's numbers beside ours, a plot, and what to "
          "look at\n"
          "                 (24 is Figure 24 of Li et al. (2011); the list has the others)\n"
          "  --measure      measures its numbers again on this computer, into results/paper\n"
          "  --page FOLDER  writes all items as a page with plots: FOLDER/figures.md, "
          "FOLDER/figures\n",
          to);
    return status;
}

/* A folder and those above it. */
static void make_folder(const char *path)
{
    char part[4096];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        mkdir(part, 0777);
    }
    mkdir(path, 0777);
}

/* The page and its plots. */
static int make_page(const struct item *items, const char *folder)
{
    char path[4352];
    snprintf(path, sizeof path, "%s/figures", folder);
    make_folder(path);
    snprintf(path, sizeof path, "%s/figures.md", folder);
    FILE *to = fopen(path, "w");
    if (!to) {
        perror(path);
        return EXIT_RESOURCE;
    }
    write_page(to, items);
    fclose(to);
    for (const struct item *i = items; i->id; i++) {
        snprintf(path, sizeof path, "%s/figures/%s.svg", folder, i->id);
        const char *why = i->picture ? draw_item(i, path) : NULL;
        if (why) {
            fprintf(stderr, "paper: %s: no plot: %s\n", i->id, why);
            return EXIT_RESOURCE;
        }
    }
    return EXIT_RIGHT;
}

static int show_item(const struct item *item, const char *id, const char *source,
                     const char *build, const char *results, const char *out, bool measure)
{
    char svg[4480];
    while (item->id && strcmp(item->id, id) != 0)
        item++;
    if (!item->id) {
        fprintf(stderr,
                "paper: there is no '%s'. Figures of Li et al. (2011) go by their number, 1 to "
                "44; `./ladder paper` lists the others.\n",
                id);
        return EXIT_USAGE;
    }
    int status = EXIT_RIGHT;
    if (measure) {
        make_folder(results);
        status = measure_again(item, source, build, results);
        if (status != EXIT_RIGHT)
            return status;
    }
    if (print_item(item, source) > 0)
        status = EXIT_WRONG;
    if (item->x) {
        make_folder(out);
        snprintf(svg, sizeof svg, "%s/%s.svg", out, item->id);
        const char *why = draw_item(item, svg);
        printf(why ? "\nNo plot: %s\n" : "\nThe plot: %s\n", why ? why : svg);
    }
    return status;
}

/* Everything but the last look at standard output. */
static int run(int argc, char **argv)
{
    static const struct option table[] = {
        {"source", required_argument, NULL, 's'}, {"results", required_argument, NULL, 'r'},
        {"out", required_argument, NULL, 'o'},    {"page", required_argument, NULL, 'p'},
        {"measure", no_argument, NULL, 'm'},      {"build", required_argument, NULL, 'b'},
        {"help", no_argument, NULL, 'h'},         {0}};
    const char *source = ".", *results = NULL, *build = "build", *out = NULL, *page = NULL;
    const char **values[] = {
        ['s'] = &source, ['r'] = &results, ['b'] = &build, ['o'] = &out, ['p'] = &page};
    bool measure = false;
    for (int option; (option = getopt_long(argc, argv, "h", table, NULL)) != -1;)
        if (option == 'h' || option == '?')
            return usage(option == 'h' ? stdout : stderr,
                         option == 'h' ? EXIT_RIGHT : EXIT_USAGE);
        else if (option == 'm')
            measure = true;
        else
            *values[option] = optarg;
    char folder[4352], plots[4352];
    snprintf(plots, sizeof plots, "%s/paper", build);
    snprintf(folder, sizeof folder, measure ? "%s/results/paper" : "%s/docs/results", source);
    results = results ? results : folder;
    kept_in(results, false);
    const struct item *items = read_items(source);
    if (page)
        return make_page(items, page);
    if (argc - optind > 1)
        return usage(stderr, EXIT_USAGE);
    if (optind == argc) {
        if (measure)
            return usage(stderr, EXIT_USAGE);
        print_list(items);
        return EXIT_RIGHT;
    }
    return show_item(items, argv[optind], source, build, results, out ? out : plots, measure);
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "paper: standard output cannot be written\n");
    return EXIT_RESOURCE;
}
