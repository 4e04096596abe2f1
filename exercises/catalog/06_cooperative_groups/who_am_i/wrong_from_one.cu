// wrong: answer
// Ranks counted from 1.
// ANSWER: 12
// ANSWER: 5
// ANSWER: 6
// ANSWER: 10
// ANSWER: 4
// ANSWER: 172
