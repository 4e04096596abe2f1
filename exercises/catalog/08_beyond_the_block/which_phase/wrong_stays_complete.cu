// wrong: answer
// As if a complete phase stayed so for ever. Parity 0 is the third phase by then.
// ANSWER: 0
// ANSWER: 1
// ANSWER: 0
// ANSWER: 1
// ANSWER: 1
// ANSWER: 1
