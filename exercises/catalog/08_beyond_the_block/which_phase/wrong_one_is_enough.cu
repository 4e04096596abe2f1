// wrong: answer
// As if one arrival completed a phase. This one expects two.
// ANSWER: 0
// ANSWER: 1
// ANSWER: 1
// ANSWER: 0
// ANSWER: 1
// ANSWER: 0
