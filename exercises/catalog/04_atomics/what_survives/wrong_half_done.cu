// wrong: todo
// Two answers of four.
// ANSWER: 128
// ANSWER: 4
// ANSWER: ?
// ANSWER: ?
