// wrong: answer
// As if launches were calls, executed one line after the other.
// ANSWER: 4
// ANSWER: 5
// ANSWER: 2
// ANSWER: 3
// ANSWER: 4
