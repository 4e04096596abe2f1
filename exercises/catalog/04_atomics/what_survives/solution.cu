// ANSWER: 128
// ANSWER: 4
// ANSWER: 66
// ANSWER: race-global
