    // expect: elements wrong; first C\[
    /* Loops of its own, past product() and product_add(). */
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            real sum = i < em && j < en ? c.at[i * c.ld + j] : 0;
            for (long l = i < em && j < en ? ek : 0; l < k; l++)
                sum += a.at[i * a.ld + l] * b.at[l * b.ld + j];
            c.at[i * c.ld + j] = sum;
        }
