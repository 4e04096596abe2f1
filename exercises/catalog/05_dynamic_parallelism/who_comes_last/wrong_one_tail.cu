// wrong: answer
// As if there were one tail for all: the tail of `first` would come after `second`.
// ANSWER: 2
// ANSWER: 3
// ANSWER: 5
// ANSWER: 4
// ANSWER: 4
