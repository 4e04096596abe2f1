// wrong: answer
// A seed under which one of them is through before the other comes.
// SCHEDULE: random 3
