// The pages, and what a reader must see on each. Numbers of lines are left to the kernels' own marks.

export const pages = [
  {
    name: "reverse.html",
    slug: "race-shared",
    title: "Data race on s[32]",
    marks: 2,
    arrow: true,
    /** After "Go to (1)": what the sentence says, and the cell that the finding is about. */
    first: { said: "thread 31", cell: "s[32]", value: "not written yet" },
    second: { said: "thread 32", cell: "s[32]", value: "32" },
    step: 16,
    picture: "web.png",
  },
  { name: "reverse_correct.html", title: "Nothing was found", marks: 0, arrow: false, barrier: true, step: 16 },
  {
    name: "activemask_sum.html",
    slug: "absent-lane",
    title: "A shuffle reads lane",
    marks: 4,
    arrow: false,
    step: 16,
    picture: "web-lanes.png",
  },
  { name: "flag.html", slug: "race-global", title: "Data race on *message", marks: 2, arrow: true, step: 16 },
  { name: "lock_order.html", slug: "livelock", title: "Each thread holds a lock", marks: 4, arrow: false, step: 50 },
  { name: "grid_reverse.html", slug: "cooperative-launch", title: "grid.sync()", marks: 1, arrow: false, step: 16 },
  { name: "large.html", slug: "race-global", title: "Data race", marks: 2, step: 50 },
];

/** Milliseconds from opening a page to its being ready. */
export const READY = 1000;

/** Machines are noisy: a figure fails at so many times its limit. */
export const NOISE = 4;
