// Arch: sm_90
// headers/barrier_objects_sm90.cu: the same for compute capability 9.0, where threads wait in `mbarrier.try_wait`.
#include "barrier_objects.cu"
