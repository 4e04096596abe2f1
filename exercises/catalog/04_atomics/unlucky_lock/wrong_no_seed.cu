// wrong: todo
// A schedule that draws needs a seed, or it cannot be run again.
// SCHEDULE: adversarial
