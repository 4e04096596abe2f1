// wrong: answer
// One thread after the other: nothing can go wrong.
// SCHEDULE: in-order
