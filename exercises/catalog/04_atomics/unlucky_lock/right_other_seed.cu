// SCHEDULE: adversarial 17
