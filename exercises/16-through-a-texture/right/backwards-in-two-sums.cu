    /* Backwards, in two sums, fetched as an array's elements are numbered. */
    const real *line = a + (size_t)i * lda;
    real even = 0, odd = 0;
    for (int l = k - 1; l >= 0; --l) {
        const float fetched = tex2D<float>(texture, (float)j, (float)l);
        (l % 2 ? odd : even) += line[l] * fetched;
    }
    sum = even + odd;
