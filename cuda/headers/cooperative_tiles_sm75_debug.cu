// Flags     -G
// headers/cooperative_tiles_sm75_debug.cu: the same without optimisation.
#include "cooperative_tiles_sm75.cu"
