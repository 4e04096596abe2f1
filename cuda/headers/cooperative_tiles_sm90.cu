// Arch: sm_90
// headers/cooperative_tiles_sm90.cu: the same for compute capability 9.0, where `elect.sync` chooses a leader.
#include "cooperative_tiles.cu"
