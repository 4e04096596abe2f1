// Flags     -G
// headers/half_types_debug.cu: the same without optimisation.
#include "half_types.cu"
