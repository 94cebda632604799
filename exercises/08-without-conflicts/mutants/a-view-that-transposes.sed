# expect: It is to be written without operator
s/__shared__ real as\[16\]\[16\], bs\[16\]\[17\];/struct view { real (*tile)[16]; int x; __device__ real \&operator[](int l) { return tile[l][x]; } }; struct tiles { real (*tile)[16]; __device__ view operator[](int x) { return view{tile, x}; } }; __shared__ real as[16][16], staged[16][16]; tiles bs = {staged};/
