// wrong: answer
// The order is right; the host's own launch is none by the device.
// ANSWER: 2
// ANSWER: 5
// ANSWER: 3
// ANSWER: 4
// ANSWER: 5
