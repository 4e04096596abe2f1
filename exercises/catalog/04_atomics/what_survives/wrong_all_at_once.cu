// wrong: answer
// Assumes that all threads of the GPU run in step: only one addition survives.
// ANSWER: 128
// ANSWER: 1
// ANSWER: 64
// ANSWER: race-global
