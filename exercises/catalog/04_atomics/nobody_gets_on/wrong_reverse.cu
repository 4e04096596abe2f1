// wrong: answer
// The second block is done before the first one begins.
// SCHEDULE: reverse
