// wrong: answer
// As if there were one tail for all: the child's tail would come behind its brother.
// ANSWER: 2
// ANSWER: 3
// ANSWER: 5
// ANSWER: 4
// ANSWER: 4
