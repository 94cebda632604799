/* SPDX-License-Identifier: MIT */
/** @file lab.h
 * What the files of ./ladder lab share: what was asked for, an exercise, and small helpers.
 *
 * An exercise is a step with the variant `yours`: it is compiled as a step is,
 * linked with the same checker, and run by the goals at the head of its source.
 * docs/teachers.md says how an exercise is made and what a check defends against.
 */
#ifndef TOOLS_LAB_LAB_H
#define TOOLS_LAB_LAB_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/** Exit statuses (README, "Exit status"). */
enum { PASSED = 0, NOT_PASSED = 1, USAGE = 2, RESOURCE = 3 };

enum { MAX_EXERCISES = 100, NAME = 64 };

/** The command line and the environment, and the list of exercises. */
struct lab {
    const char *root, *build, *folder, *exercises; /**< paths; `folder` is the learner's */
    const char *seed;                              /**< NULL: drawn */
    const char *class_seed;                        /**< of variants; NULL: as they are */
    const char *sizes;                       /**< of run, debug, picture: " --n 4 --m 8" */
    const char *line, *block, *thread;       /**< of debug and picture, or NULL */
    const char *format, *students, *require; /**< of score, or NULL */
    const char *grader;                      /**< of export, or NULL */
    bool no_gpu, anyway, yes, quick, points, recheck;
    bool give_points; /**< a check goes on after a mistake, to find all that is right */
    int count;
    char names[MAX_EXERCISES][NAME]; /**< in the order in which they are to be done */
};

/* ---- base.c: texts, files, messages ---- */

/** Prints into a new text that lives until texts_release(). */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** A buffer for a text of `bytes` bytes, empty at first. */
char *buffer(size_t bytes);
/** The newest text, and an end to all that are newer: NULL ends all. */
const void *texts_mark(void);
void texts_release(const void *mark);

/** A text that is printed piece by piece: begin it, print on `out`, and end it. It then lives
 * as other texts do. */
struct stream {
    FILE *out;
    char *bytes;
    size_t size;
};
void stream_begin(struct stream *s);
char *stream_end(struct stream *s);

/** Prints "lab: ..." on standard error and ends the program with this status. */
void die(int status, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/** The whole file as a text, NULL if it cannot be read; *size may be NULL. */
char *read_file(const char *path, size_t *size);

/** Writes a file; dies with RESOURCE if the disk does not take it. */
void write_file(const char *path, const char *content);

bool exists(const char *path);

/** Makes a folder and those above it; dies if that cannot be done. */
void make_folders(const char *path);

/** A path as seen from the repository. */
const char *shown_path(const struct lab *lab, const char *path);

/** The folder for temporary files, made at the first call and removed at the end. */
const char *scratch(void);
void remove_scratch(void);

/** An empty folder in there; deletes what an old one held. */
const char *empty_folder(const char *name);

/** A value of the build's settings; "" if it has none. */
const char *setting(const struct lab *lab, const char *name);

/** The value of an option from 0 to `most`; dies if it is another word. */
long whole_number(const char *option, const char *word, long least, long most);

static inline bool begins_with(const char *s, const char *start)
{
    return strncmp(s, start, strlen(start)) == 0;
}

/** How many characters of a word, as C knows it, a text begins with; 0: something else. */
size_t word_length(const char *s);

/** Splits at blanks, in place; returns how many words. */
int split_words(char *line, char *words[], int most);

/** Returns a text's lines one after another, changing it: `for (char *line; (line =
 * next_line(&rest));)`. */
char *next_line(char **rest);

/** Makes a text from elsewhere safe to print, in place: control characters, and those that
 * change how other text looks, become ?. */
char *make_printable(char *s);

/** Colours, on a terminal that supports them; "" elsewhere. */
enum colour { PLAIN, GREEN, RED };
const char *colour(enum colour colour);

/* ---- exercises.c ---- */

/** Finds the exercises' folders. */
void find_exercises(struct lab *lab);

/** The one exercise that a number, a name or a part of one means; dies if there is not one. */
const char *find_exercise(const struct lab *lab, const char *words);

/** A file of an exercise's folder. */
const char *exercise_file(const struct lab *lab, const char *exercise, const char *name);

/** Its text, in the variant that the class has; NULL when it cannot be read. */
char *exercise_text(const struct lab *lab, const char *exercise, const char *name);

/** The lines of its check.md below the heading "## PART" and a blank line, without the fences
 * of code; dies if there is no such file. */
char *exercise_part(const struct lab *lab, const char *exercise, const char *part);

/** "c" or "cu". */
const char *exercise_suffix(const struct lab *lab, const char *exercise);

/** Whether its source is a .cu file. */
bool is_for_gpu(const struct lab *lab, const char *exercise);

/** The learner's file. */
const char *work_file(const struct lab *lab, const char *exercise);

/** The README's title. */
const char *exercise_title(const struct lab *lab, const char *exercise);

/** The rest of the goals' line that begins with this word; NULL if there is none. */
const char *goal_words(const struct lab *lab, const char *exercise, const char *keyword);

/** Whether the exercise's goals limit the workspace; memory from elsewhere would then not be
 * counted. */
bool counts_workspace(const struct lab *lab, const char *exercise);

/** The file that marks a folder that was handed out: it holds a class's seed, or nothing. */
const char *class_file(const struct lab *lab);

/** The exercises of the fast track, or all, in order, and the minutes of each, 0 where they are
 * not known; returns how many. */
int track(const struct lab *lab, bool quick, const char *names[MAX_EXERCISES],
          int minutes[MAX_EXERCISES]);

/* ---- source.c: stub and solution from the annotated source ---- */

/** What the annotated source is made into. The lab makes the same stub from a handout, which
 * has none of the solution's lines. */
enum made { STUB, SOLUTION, HANDOUT };
char *exercise_source(const struct lab *lab, const char *exercise, enum made made);

/** A learner's text as the check reads it: without BOM, CR and trailing blanks, and with a
 * newline at its end. */
char *normalised(const char *content);

/** Checks that the text differs from the stub only in its regions. Returns NULL, or a headline,
 * with more in *detail. */
const char *check_regions(const struct lab *lab, const char *exercise, const char *content,
                          char **detail);

/** The lines of a text's regions, without those that the stub also has. */
const char *own_lines(const struct lab *lab, const char *exercise, const char *content);

/** Which of the words that the goals forbid are in regions, with a blank after each. */
char *forbidden_words(const struct lab *lab, const char *exercise, const char *content);

/** The text as it is compiled: without the headers that are in regions, which may be inside
 * functions. *headers gets compiler options that include them instead. In regions the words
 * `hidden` are names of the region's own. Lines keep their numbers. */
char *prepared(const char *content, const char *hidden, char **headers);

/* ---- progress.c: lab/progress ---- */

enum state { NEW, STARTED, DONE };

/** A learner's progress with one exercise. */
struct state_of {
    enum state state;
    int checks, hints;
    bool peeked;     /**< looked at the solution before passing */
    char passed[32]; /**< the time of the first pass, in UTC; "" if there is none */
};

/** Adds a line to the progress file: start pass fail hint solution reset. */
void remember(const struct lab *lab, const char *exercise, const char *event, const char *more);

/** Reads the progress of each exercise, in the order of lab->names. */
void read_states(const struct lab *lab, struct state_of states[MAX_EXERCISES]);

int exercise_index(const struct lab *lab, const char *exercise);

/** The exercise that was started last; dies if there is none. */
const char *last_started(const struct lab *lab);

/** The options of the run that failed last; "" if there is none. */
const char *last_failure(const struct lab *lab, const char *exercise);

/** Whether the learner follows the fast track. */
bool on_quick_track(const struct lab *lab);

/** The next exercise after `exercise` (NULL: the first) that is not passed; NULL if none is. */
const char *next_exercise(const struct lab *lab, const char *exercise);

/* ---- check.c ---- */

enum { MOST_PARTS = 12 };

/** A part of an exercise's points: "right on squares", 3 of 3. */
struct part {
    const char *what;
    int got, most;
};

/** The points of an exercise: for compiling, for squares, for all shapes, for a run without a
 * fault, and for each of its goals. */
struct points {
    struct part parts[MOST_PARTS];
    int count;
};

/** The result of a check. */
struct checked {
    bool passed;
    char headline[256];   /**< why not */
    char options[256];    /**< of the run that failed; "" if none ran */
    struct points points; /**< the points, if any are given (give_points) */
};

/** The parts of an exercise's points, all of them given or none. */
struct points exercise_points(const struct lab *lab, const char *exercise, bool given);

/** The sum of the points given, or of all possible ones. */
int points_sum(const struct points *points, bool given);

/** Builds what the exercise is checked with; dies with RESOURCE if that cannot be done. */
void prepare(const struct lab *lab, const char *exercise);

/** Checks a file and prints the result on `out`. */
struct checked check_file(const struct lab *lab, const char *exercise, const char *file,
                          FILE *out);

/** The same for a text that was read from that file before. */
struct checked check_content(const struct lab *lab, const char *exercise, const char *file,
                             const char *content, size_t size, FILE *out);

/** The same for the learner's own file; the result is remembered. */
bool check_and_remember(const struct lab *lab, const char *exercise);

/* ---- the commands ---- */

/** A command; `words` are the arguments as given, without options. */
typedef void command_function(struct lab *lab, int count, char **words);
command_function command_list, command_start, command_check, command_hint, command_solution,
    command_reset, command_score, command_run, command_debug, command_picture, command_export;

/** The exercise meant by "EX", or by no words at all. */
const char *exercise_or_last(const struct lab *lab, int count, char **words);

/** The learner's file; dies if the exercise is not started. */
const char *started_work(const struct lab *lab, const char *exercise);

/** Shows the next hint and remembers it. */
void show_next_hint(const struct lab *lab, const char *exercise);

#endif
