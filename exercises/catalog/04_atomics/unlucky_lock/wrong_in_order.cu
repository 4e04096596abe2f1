// wrong: answer
// One thread after the other: there is nothing to get wrong.
// SCHEDULE: in-order
