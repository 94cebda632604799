    // expect: elements wrong
    /* A triple loop instead of add_panel(): the task names the function. */
    int column = 0, row = 0;
    for (long from = 0, to; from < me->k; from = to) {
        while (cut(me->k, ACROSS, column + 1) <= from)
            column++;
        while (cut(me->k, DOWN, row + 1) <= from)
            row++;
        long end_a = cut(me->k, ACROSS, column + 1), end_b = cut(me->k, DOWN, row + 1);
        to = end_a < end_b ? end_a : end_b;
        struct block a = broadcast_a(me, column, from - cut(me->k, ACROSS, column), to - from);
        struct block b = broadcast_b(me, row, from - cut(me->k, DOWN, row), to - from);
        for (long i = 0; i < me->c.rows; i++)
            for (long l = 0; l < to - from; l++)
                for (long j = 0; j < me->c.cols; j++)
                    me->c.at[i * me->c.ld + j] += a.at[i * a.ld + l] * b.at[l * b.ld + j];
    }
