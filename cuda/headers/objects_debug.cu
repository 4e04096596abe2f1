// Flags     -G
// headers/objects_debug.cu: the same without optimisation.
#include "objects.cu"
