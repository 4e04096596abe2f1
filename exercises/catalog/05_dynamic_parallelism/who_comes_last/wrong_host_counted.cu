// wrong: answer
// The order is right, but the host's own launch is not a launch by the device.
// ANSWER: 2
// ANSWER: 5
// ANSWER: 3
// ANSWER: 4
// ANSWER: 5
