/* SPDX-License-Identifier: MIT */
#include "common/command/letters.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

int letters_between(const char *x, const char *y)
{
    enum { MOST = 32 };
    int d[MOST + 1][MOST + 1], rows = (int)strlen(x), cols = (int)strlen(y);
    if (rows > MOST || cols > MOST)
        return MOST;
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= cols; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            bool same = tolower((unsigned char)x[i - 1]) == y[j - 1];
            int change = d[i - 1][j - 1] + !same,
                other = d[i - 1][j] < d[i][j - 1] ? d[i - 1][j] + 1 : d[i][j - 1] + 1;
            d[i][j] = change < other ? change : other;
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1] &&
                d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    return d[rows][cols];
}
