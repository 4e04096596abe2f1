// Arch: sm_90
// headers/cooperative_copy_sm90.cu: the same for compute capability 9.0.
#include "cooperative_copy.cu"
