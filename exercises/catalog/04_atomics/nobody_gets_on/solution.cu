// SCHEDULE: random 4
