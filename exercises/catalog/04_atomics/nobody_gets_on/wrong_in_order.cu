// wrong: answer
// The first block is done before the second one begins.
// SCHEDULE: in-order
