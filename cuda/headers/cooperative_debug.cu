// Flags     -G
// headers/cooperative_debug.cu: the same without optimisation: every call stands, and every value goes through memory.
#include "cooperative.cu"
