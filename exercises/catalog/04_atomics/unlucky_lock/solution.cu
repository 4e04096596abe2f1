// SCHEDULE: adversarial 2
