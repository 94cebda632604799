s/__shared__ real as\[16\]\[16\], bs\[16\]\[17\];/__shared__ real both[32][19]; real (*as)[19] = both, (*bs)[19] = both + 16;/
