    /* Whole tiles, each once: B's first, A's from left to right, B's second where A's go past the middle. */
    struct block b = {0};
    int have = -1;
    for (int column = 0; column < ACROSS; column++) {
        long left = cut(me->k, ACROSS, column), right = cut(me->k, ACROSS, column + 1);
        if (left == right)
            continue;
        struct block a = broadcast_a(me, column, 0, right - left);
        for (int row = 0; row < DOWN; row++) {
            long top = cut(me->k, DOWN, row), bottom = cut(me->k, DOWN, row + 1);
            long from = left > top ? left : top, to = right < bottom ? right : bottom;
            if (from >= to)
                continue;
            if (have != row)
                b = broadcast_b(me, row, 0, bottom - top), have = row;
            add_panel(part(a, 0, from - left, a.rows, to - from), part(b, from - top, 0, to - from, b.cols), me->c);
        }
    }
