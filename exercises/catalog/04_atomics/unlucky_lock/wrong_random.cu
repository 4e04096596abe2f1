// wrong: answer
// The threads take turns all the time, but each load still gets the newest value.
// SCHEDULE: random 7
