// SCHEDULE: random 18
