// wrong: answer
// As if the tail waited only for the launching kernel, and not for what that kernel launched.
// ANSWER: 4
// ANSWER: 2
// ANSWER: 5
// ANSWER: 3
// ANSWER: 4
