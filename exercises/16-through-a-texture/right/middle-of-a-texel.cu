    /* The middle of a texel, as for a texture that interpolates. */
    for (int l = 0; l < k; l++)
        sum += a[(size_t)i * lda + l] * tex2D<float>(texture, j + 0.5f, l + 0.5f);
