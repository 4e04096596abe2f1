// wrong: answer
// As if `tail` meant the end of the launching kernel and not of what it has launched.
// ANSWER: 4
// ANSWER: 2
// ANSWER: 5
// ANSWER: 3
// ANSWER: 4
