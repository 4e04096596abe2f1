// Arch: sm_80
// Flags     -G
// headers/cooperative_large_debug.cu: the same without optimisation.
#include "cooperative_large.cu"
