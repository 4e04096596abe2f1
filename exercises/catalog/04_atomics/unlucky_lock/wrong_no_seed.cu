// wrong: todo
// A schedule that draws random numbers needs a seed. Without one it cannot be run again.
// SCHEDULE: adversarial
