// wrong: todo
// The grid's rank is not filled in.
// ANSWER: 11
// ANSWER: 4
// ANSWER: 6
// ANSWER: 10
// ANSWER: 3
// ANSWER: ?
