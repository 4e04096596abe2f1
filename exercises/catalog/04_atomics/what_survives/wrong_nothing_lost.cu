// wrong: answer
// Assumes that a plain addition is one step: nothing is lost, and nothing is reported.
// ANSWER: 128
// ANSWER: 128
// ANSWER: 128
// ANSWER: none
