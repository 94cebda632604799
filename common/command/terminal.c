/* SPDX-License-Identifier: MIT */
#include "common/command/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_columns(FILE *file)
{
    struct winsize window;
    int number = fileno(file);
    return isatty(number) && ioctl(number, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

bool terminal_is_live(FILE *file)
{
    const char *terminal = getenv("TERM");
    return isatty(fileno(file)) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}
