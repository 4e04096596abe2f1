### What lesson 4 says itself: its figure, and how its answers are wrong.

figure = Keeping the positive of { $n } elements
elements-kept = elements kept, of 100
atomics = Atomic operations
atomics-counted = of threads, for each 1000 elements; in global and in shared memory
memory = Memory
sectors-counted = 32-byte sectors loaded and stored, for each 1000 elements
bandwidth = Bandwidth
rate = GB/s, read and written

too-many-kept = { $kept } elements kept of { $n }
no-such-place = place { $place } given where there are { $kept }
places-twice = several threads got place { $place }
places-missed = { $holes } of { $kept } places were given to no thread
not-to-keep = { $value } is none of the elements to keep
after-scatter = after the scatter, { $why }

no-order = no order explains what the { $count } atomics on cell { $cell } returned: { $why }
left-more = { $value } was left in the cell { $times ->
    [one] once more
   *[other] { $times } times more
} than it was found there
found-more = { $value } was found in the cell { $times ->
    [one] once more
   *[other] { $times } times more
} than it was left there
no-way-there = { $value } was found in the cell, but nothing leads there from { $first }
