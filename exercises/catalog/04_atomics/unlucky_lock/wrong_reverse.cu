// wrong: answer
// The last block runs first, and still one thread after the other.
// SCHEDULE: reverse
