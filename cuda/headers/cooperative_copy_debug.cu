// Arch: sm_80
// Flags     -G -DNDEBUG
// headers/cooperative_copy_debug.cu: the same without optimisation.
#include "cooperative_copy.cu"
