// wrong: answer
// The tile's rank taken in the warp, and not in the block.
// ANSWER: 11
// ANSWER: 0
// ANSWER: 2
// ANSWER: 10
// ANSWER: 3
// ANSWER: 171
