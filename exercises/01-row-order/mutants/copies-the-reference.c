    // expect: somebody else multiplies
    /* The checker's own product, found by the name of a function it calls. */
    int reference_create(void *reference, const void *a, const void *b);
    struct { void *product; char rest[200]; } reference = {0};
    reference_create(&reference, p->a, p->b);
    for (long i = 0; i < p->m * p->n; i++)
        c[i / p->n * p->ldc + i % p->n] = ((double *)reference.product)[i];
