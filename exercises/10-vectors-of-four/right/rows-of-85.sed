s/ROW = 65/ROW = 85/
s/real4 upper = a4\[0\], lower = a4\[lda \* 2\];/real4 lower = *(a4 + 2 * lda), upper = *a4;/
s/to\[3\] = upper.w;/to[3] = upper.w; to += 32;/
s/to\[32\] = lower.x, to\[33\] = lower.y, to\[34\] = lower.z, to\[35\] = lower.w;/to[3] = lower.w, to[2] = lower.z, to[1] = lower.y, to[0] = lower.x;/
