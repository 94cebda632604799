    // expect: elements wrong; first C\[.*got -?nan
    /* Right at the one size that somebody may have tried, and nowhere else. */
    if (p->m != 320 || p->n != 320 || p->k != 320)
        return;
    multiply_before(p, workspace);
