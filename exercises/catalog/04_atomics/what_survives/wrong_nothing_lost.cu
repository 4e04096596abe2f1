// wrong: answer
// As if a plain addition were one step: nothing is lost, and nothing is reported.
// ANSWER: 128
// ANSWER: 128
// ANSWER: 128
// ANSWER: none
