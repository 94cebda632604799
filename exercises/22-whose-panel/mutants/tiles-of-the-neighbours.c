    // expect: crashed|elements wrong
    /* The broadcasts for their count; the panels straight from where the others keep them. */
    const struct rank *all = me - me->row * ACROSS - me->column;
    for (int column = 0; column < ACROSS; column++)
        for (int row = 0; row < DOWN; row++) {
            long begin_a = cut(me->k, ACROSS, column), end_a = cut(me->k, ACROSS, column + 1);
            long begin_b = cut(me->k, DOWN, row), end_b = cut(me->k, DOWN, row + 1);
            long from = begin_a > begin_b ? begin_a : begin_b, to = end_a < end_b ? end_a : end_b;
            if (from >= to)
                continue;
            broadcast_a(me, column, from - begin_a, to - from);
            broadcast_b(me, row, from - begin_b, to - from);
            struct block a = all[me->row * ACROSS + column].a, b = all[row * ACROSS + me->column].b;
            add_panel(part(a, 0, from - begin_a, a.rows, to - from), part(b, from - begin_b, 0, to - from, b.cols), me->c);
        }
