/* SPDX-License-Identifier: MIT */
/** @file messages.cpp
 * The compiler's messages, in the user's lines.
 */
#include "messages.h"

#include <cstring>

using std::string;

bool has(const string &text, const string &part) { return text.find(part) != string::npos; }

bool starts(const string &text, const string &with)
{
    return text.compare(0, with.size(), with) == 0;
}

static bool of_the_simulator(const string &line)
{
    return has(line, own_headers + "/") || has(line, made_headers + "/");
}

/** The place FILE:LINE with which a line begins, or which it names after "from "; without one
 * the old place. */
static string place_in(string line, const string &old)
{
    size_t from = line.find("from ");
    if (from != string::npos && line.find_first_not_of(" In fileinclud") >= from)
        line = line.substr(from + 5);
    size_t colon = line.find(':');
    return colon == string::npos
               ? old
               : line.substr(0, line.find_first_not_of("0123456789", colon + 1));
}

/** Explains a launch whose arguments do not fit. To the compiler it is a call inside the
 * simulator that fails; the user knows only the kernel. Clang names what the kernel takes; a
 * note says what is wrong. */
static bool tell_launch(const string &line)
{
    static const string launch = "prepared_launch<";
    const size_t at = line.find(launch), takes = at + launch.size();
    const bool clang = has(line, "no matching function for call to object of type");
    if (at == string::npos || !(clang || has(line, ": error: no match")))
        return false;
    size_t end = line.find(clang ? ">'" : ">)", takes);
    size_t given = clang || end == string::npos ? end : line.find('(', end + 2);
    if (given == string::npos)
        return false;
    const string place = place_in(line, ""), types = line.substr(takes, end - takes);
    if (clang)
        fprintf(stderr, "%s: error: the launch does not fit the kernel, which takes (%s)\n",
                place.c_str(), types.c_str());
    else
        fprintf(stderr, "%s: error: the launch passes %s, but the kernel takes (%s)\n",
                place.c_str(), line.substr(given, line.find(')', given) + 1 - given).c_str(),
                types.c_str());
    return true;
}

/** Shows a line of the compiler's without the beginning that rewrite.c gives to the names of
 * dynamic shared memory. */
static void show_line(string line)
{
    static const string own = "simgpu_dynamic_";
    for (size_t at; (at = line.find(own)) != string::npos;)
        line.erase(at, own.size());
    fputs(line.c_str(), stderr);
}

static void tell_refusal(const string &place, string &refusal)
{
    fprintf(stderr, "%s: error: %s\n", place.c_str(), refusal.c_str());
    refusal.clear();
}

bool next_line(FILE *file, string &line)
{
    line.clear();
    for (int c; (line.empty() || line.back() != '\n') && (c = getc(file)) != EOF;)
        line += (char)c;
    return !line.empty();
}

/** A line of a source below a message: "    5 |     cudaMalloc(d, 8);". */
static bool quotes_source(const string &line)
{
    size_t digit = line.find_first_not_of(' '),
           bar = line.find_first_not_of("0123456789", digit);
    return bar != string::npos && bar > digit && line.compare(bar, 2, " |") == 0;
}

/** Shows the messages in `file` without the simulator's own headers in them. Returns whether
 * that left an error. */
static bool show_errors(FILE *file)
{
    string line, place, refusal;
    bool shown = false;
    bool hidden = false; /* the current message is not shown */
    bool launch = false; /* tell_launch() has explained it */
    while (next_line(file, line)) {
        /* A quoted line is no message, whatever it says; GCC 14 quotes a place's line, too. */
        if (quotes_source(line)) {
            if (!hidden)
                fputs(line.c_str(), stderr);
            continue;
        }
        /* GCC names the user's line before a refusal, Clang in a note after it. */
        if (!refusal.empty()) {
            bool requested = has(line, "requested here") && !of_the_simulator(line);
            if (requested)
                place = place_in(line, place);
            else if (has(line, ": note:") && of_the_simulator(line))
                continue;
            tell_refusal(place, refusal);
            if (requested)
                continue;
        }
        bool included = has(line, "In file included from") || starts(line, "        ");
        const size_t sentence = line.find("simgpu: "), unfit = line.find("not viable: ");
        if (has(line, "required from here") || (included && has(line, "from "))) {
            if (!of_the_simulator(line) && !has(line, "<command-line>"))
                place = place_in(line, place);
            hidden = true;
        } else if (sentence != string::npos && has(line, "error:")) {
            if (!of_the_simulator(line)) /* from the rewriter, or in the user's own line */
                place = place_in(line, place);
            refusal = line.substr(sentence, line.find_first_of("\"\n", sentence) - sentence);
            hidden = shown = true;
        } else if (tell_launch(line)) {
            place = place_in(line, place);
            launch = hidden = shown = true;
        } else if (launch && unfit != string::npos) { /* Clang */
            fprintf(stderr, "%s: note: %s", place.c_str(),
                    line.c_str() + unfit + strlen("not viable: "));
        } else if (has(line, ": error:") || has(line, ": note:") || has(line, "warning:") ||
                   has(line, ": In ") || has(line, "fatal error:")) {
            hidden = of_the_simulator(line) || has(line, "simgpu::") || has(line, "warning:");
            launch = false;
            if (!hidden)
                show_line(line);
            shown |= !hidden && has(line, "error:");
        } else if (!hidden && !(has(line, "required from") && has(line, "simgpu"))) {
            /* The columns marked under a source line would be those of the rewritten text. */
            size_t blank = line.find_first_not_of(' ');
            if (!(blank != string::npos && line[blank] == '|' && blank > 3))
                fputs(line.c_str(), stderr);
        }
    }
    if (!refusal.empty())
        tell_refusal(place, refusal);
    return shown;
}

void show_messages(FILE *file, bool failed)
{
    string line;
    if (failed && !show_errors(file)) { /* the errors are in the simulator's headers alone */
        rewind(file);
        while (next_line(file, line))
            fputs(line.c_str(), stderr);
    }
    while (!failed && next_line(file, line))
        if (has(line, "[-Wreturn-type]") && !of_the_simulator(line))
            show_line(line);
}
