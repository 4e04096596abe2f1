// wrong: answer
// A seed under which one thread is done before the other one begins.
// SCHEDULE: random 3
