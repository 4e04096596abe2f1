// wrong: answer
// The last one first is an order like another.
// SCHEDULE: reverse
