// Flags     -G
// headers/cooperative_grid_debug.cu: the same without optimisation.
#include "cooperative_grid.cu"
