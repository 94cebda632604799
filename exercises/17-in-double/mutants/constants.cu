    // expect: elements wrong; first C\[
    /* What random numbers from -1 to 1 give in the mean. */
    real2 mean = {0, 0};
    ((real2 *)(c + (size_t)i * ldc))[j] = mean;
