// wrong: todo
// Only two of four answers.
// ANSWER: 128
// ANSWER: 4
// ANSWER: ?
// ANSWER: ?
