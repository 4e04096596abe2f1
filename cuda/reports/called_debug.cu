// Flags     -G
// reports/called_debug.cu: the same without optimisation, where each function is called.
#include "called.cu"
