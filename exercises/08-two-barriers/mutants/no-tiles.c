        // expect: right, but [0-9]+ transactions where [0-9]+ are possible
        /* Step 06 in disguise: every thread fetches for itself. */
        for (int l = first; l < first + 16 && l < k; l++)
            if (i < m && j < n)
                sum += a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
