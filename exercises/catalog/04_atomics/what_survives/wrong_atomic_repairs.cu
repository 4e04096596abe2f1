// wrong: answer
// Assumes that an atomic on the same counter makes the plain additions atomic too.
// ANSWER: 128
// ANSWER: 4
// ANSWER: 128
// ANSWER: race-global
