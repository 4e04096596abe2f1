// wrong: answer
// The number of the tile counted within the warp, and not within the block.
// ANSWER: 11
// ANSWER: 0
// ANSWER: 2
// ANSWER: 10
// ANSWER: 3
// ANSWER: 171
