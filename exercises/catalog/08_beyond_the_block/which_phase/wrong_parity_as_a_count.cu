// wrong: answer
// As if the parity said how many phases are complete.
// ANSWER: 1
// ANSWER: 0
// ANSWER: 1
// ANSWER: 0
// ANSWER: 0
// ANSWER: 0
