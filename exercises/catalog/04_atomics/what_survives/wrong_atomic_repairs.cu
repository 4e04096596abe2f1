// wrong: answer
// As if an atomic on the same counter made the plain ones atomic too.
// ANSWER: 128
// ANSWER: 4
// ANSWER: 128
// ANSWER: race-global
