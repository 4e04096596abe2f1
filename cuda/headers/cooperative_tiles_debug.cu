// Arch: sm_80
// Flags     -G
// headers/cooperative_tiles_debug.cu: the same without optimisation.
#include "cooperative_tiles.cu"
