// The pages, and what a reader must see on each. Numbers of lines are left to the kernels' own marks.

const flag = {
  says: [
    "no fence before the flag",
    "message[i] = square(in[i]);",
    "(1) block",
    "No fence before it",
    "while (*flag == 0) {}",
    "No fence after it",
    "(2) block",
    "an older value",
    "flag set",
    "flag seen",
  ],
  onPhone: ["no fence before the flag", "(1) block", "No fence before it", "No fence after it", "(2) block", "an older value"],
};

const locks = {
  says: [
    "holds a lock",
    "(1) thread 0 (warp 0, lane 0) sets locks[0] to 1, and is at (3)",
    "(2) thread 1",
    "&locks[payee]",
    "(3) thread 0 reads",
    "(4) thread 1 reads",
  ],
  onPhone: ["holds a lock", "(1) thread 0", "(2) thread 1", "&locks[payee]", "(3) thread 0 reads"],
};

const grid = { says: ["ordinary launch, 4 blocks", "not cooperative", "all blocks run at once", "grid.sync();", "has not begun"] };

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
    /** What a reader must see at once, on a desktop and on a phone. */
    says: ["no barrier", "s[t] = d[t];", "(2) thread 32", "d[t] = s[n - t - 1];", "(1) thread 31", "no order"],
  },
  { name: "reverse_correct.html", title: "Nothing was found", marks: 0, arrow: false, barrier: true, ordered: "A barrier", step: 16 },
  { name: "flag_correct.html", title: "Nothing was found", marks: 0, arrow: false, ordered: "Fences", step: 16 },
  { name: "quicksort.html", title: "Nothing was found", marks: 0, arrow: false, ordered: "The launch", step: 50 },
  {
    name: "activemask_sum.html",
    slug: "absent-lane",
    title: "A shuffle reads lane",
    marks: 4,
    arrow: false,
    step: 16,
    picture: "web-lanes.png",
    says: ["mask leaves out", "__activemask();", "(1) thread", "__shfl_down_sync", "(2) thread", "is absent"],
    onPhone: ["mask leaves out", "__activemask();", "(1) thread", "__shfl_down_sync", "(2) thread"],
  },
  { name: "flag.html", slug: "race-global", title: "Data race on *message", marks: 2, arrow: true, step: 16, ...flag },
  { name: "lock_order.html", slug: "livelock", title: "Each thread holds a lock", marks: 6, arrow: false, step: 50, ...locks },
  { name: "grid_reverse.html", slug: "cooperative-launch", title: "grid.sync()", marks: 1, arrow: false, step: 16, ...grid },
  { name: "large.html", slug: "race-global", title: "Data race", marks: 2, step: 50 },
];

/** Milliseconds from opening a page to its being ready. */
export const READY = 1000;

/** Machines are noisy: a figure fails at so many times its limit. */
export const NOISE = 4;
