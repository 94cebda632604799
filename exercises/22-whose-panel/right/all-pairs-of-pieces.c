    /* Every pair of pieces, and the part that both have; there is nothing to be sent where there is none. */
    for (int column = 0; column < ACROSS; column++)
        for (int row = 0; row < DOWN; row++) {
            long begin_a = cut(me->k, ACROSS, column), end_a = cut(me->k, ACROSS, column + 1);
            long begin_b = cut(me->k, DOWN, row), end_b = cut(me->k, DOWN, row + 1);
            long from = begin_a > begin_b ? begin_a : begin_b, to = end_a < end_b ? end_a : end_b;
            if (from >= to)
                continue;
            add_panel(broadcast_a(me, column, from - begin_a, to - from), broadcast_b(me, row, from - begin_b, to - from), me->c);
        }
