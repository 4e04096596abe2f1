// wrong: answer
// The threads change places all the time, and still each load gets the newest value.
// SCHEDULE: random 7
