/**
 * @file compile.h
 * From a learner's text to a program, and what of it is nobody else's.
 */
#ifndef TOOLS_LAB_COMPILE_H
#define TOOLS_LAB_COMPILE_H

#include "lab.h"

/** Where an exercise runs. */
enum place { ON_CPU, ON_SIM, ON_CUDA };

/** What is compiled, and how. */
struct job {
    const struct lab *lab;
    const char *exercise;
    const char *file; /**< where the learner's text came from: errors name it */
    enum place place;
    bool both;           /**< f64, too */
    bool debug;          /**< for a debugger: slow, and with everything it wants to know */
    const char *program; /**< what it becomes */
};

/** A value of the build's settings, "" where it has none. */
const char *setting(const struct lab *lab, const char *name);

/** Compiles `content`. NULL, or why it failed: a headline; *said is what the compiler said that
 * concerns the learner, warnings included. */
const char *compile(const struct job *job, const char *content, char **said);

/** Looks into the object files of the job that was compiled last. NULL, or a headline with
 * *detail: it calls what multiplies or judges, or stands in for it. */
const char *inspect(const struct job *job, char **detail);

/** Whether the exercise's goals limit the workspace, so that room from elsewhere would not be
 * counted. */
bool counts_room(const struct job *job);

/** The object file of a job in one precision ("f32"). */
const char *object_file(const char *precision);

#endif
