# The version of the project and of its library, ladder_gemm.
set(LADDER_VERSION 1.1.0)
