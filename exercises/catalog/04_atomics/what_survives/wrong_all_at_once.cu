// wrong: answer
// As if all threads of the GPU ran in step: one addition is left of all.
// ANSWER: 128
// ANSWER: 1
// ANSWER: 64
// ANSWER: race-global
