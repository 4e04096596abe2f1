// wrong: answer
// As if no phase came before the first one. It counts as complete, so that a first wait for an empty stage ends.
// ANSWER: 0
// ANSWER: 0
// ANSWER: 0
// ANSWER: 1
// ANSWER: 1
// ANSWER: 0
