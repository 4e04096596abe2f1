// wrong: answer
// As if a coalesced group covered the whole block. It ends at the warp.
// ANSWER: 11
// ANSWER: 4
// ANSWER: 6
// ANSWER: 32
// ANSWER: 25
// ANSWER: 171
