### Threads that wait for one another for ever.

deadlock = the threads of the block wait for each other
    .why = No thread is left that could reach the places where these wait.{ $ended ->
        [0] {""}
        [one] {" "}Of the block, { $who } has ended.
       *[other] {" "}Of the block, { $who } have ended.
    }{ $more ->
        [0] {""}
        [one] {" "}Threads wait in one more place.
       *[other] {" "}Threads wait in { $more } more places.
    }
    .fix = let all threads reach the call that others wait at. A mask may name only lanes that reach its call
grid-deadlock = { $waiting ->
    [0] blocks wait at `grid.sync()` for blocks that will not come
    [one] { $who_wait } waits at `grid.sync()`{ others-of-grid }
   *[other] { $who_wait } wait at `grid.sync()`{ others-of-grid }
}
    .why = Every block of the grid must reach `grid.sync()` equally often.
    .fix = let every block reach each `grid.sync()`: return after it, not before
others-of-grid = { $ended ->
    [0] {""}
    [one] , but { $who_ended } has ended
   *[other] , but { $who_ended } have ended
}{ $elsewhere ->
    [0] {""}
    [one] , and { $who_elsewhere } waits at another barrier
   *[other] , and { $who_elsewhere } wait at another barrier
}
livelock = { $circle ->
    [locks] each thread holds a lock that another one waits for: a deadlock of threads that spin
    [phases] each thread waits for a phase of a barrier that another one has to complete
    [meeting] threads wait in a loop for a thread that waits for them
    [bytes-missing] threads wait for a phase that expects more bytes than copies bring
    [bytes-surplus] threads wait for a phase that expects fewer bytes than copies have brought
   *[none] threads repeat a loop that no thread will end
}
    .why = { no-end }{ $circle ->
        [locks] {" "}A course calls this a deadlock. Here the name is livelock, because the threads still run.
       *[none] {""}
    }
    .fix = { $circle ->
        [locks] let all threads take the locks in the same order
        [phases] check the parity of each first wait. The phase before the first counts as complete: a wait for its parity, 1, passes
        [meeting] let the thread that the others wait for end their loop before it waits itself
        [bytes-missing] let `expect_tx` count exactly the bytes of the copies that complete at this phase, or start the copy that is missing
        [bytes-surplus] let `expect_tx` count the bytes of all copies that complete at this phase. A copy of a later phase must wait until this one is complete
       *[none] find the thread that must end the loop. Does it wait, has it ended, or has it not begun?
    }
kept-lock = the lock taken in line { $taken } is never released
    .why = { no-end } The thread that took the lock has ended.
    .fix = release the lock on every path before its thread ends: `__threadfence()`, then `atomicExch()`
loaded-once = `atomicCAS()` in line { $swap } compares with an old value for ever
    .why = { no-end } Line { $load } reads the value once, before the loop.
    .fix = where `atomicCAS()` fails, compare in the next iteration with the value that it returned
flag-loaded-once = the loop in line { $at } reads no memory, so it sees no change
    .why = { no-end } A compiler reads a plain variable once, before the loop, and keeps the value.
    .fix = read the variable by `atomicAdd(p, 0)`, or through a `volatile` pointer
no-end = Every thread either waits or comes back to where it was, and none changes what it reads. No schedule ends this.{ $more ->
    [0] {""}
    [one] {" "}One more block is in this state.
   *[other] {" "}{ $more } more blocks are in this state.
}{ $not_begun ->
    [0] {""}
    [one] {" "}One block has not begun: there is no room for it on the device yet.
   *[other] {" "}{ $not_begun } blocks have not begun: there is no room for them on the device yet.
}
out-of-fuel = the launch does not end: too few threads ended in { $instructions } instructions
    .why = The launch may run { $fuel } thread instructions, and more for each thread that ends. It may only be slow.{ $more ->
        [0] {""}
        [one] {" "}One more block is in this state.
       *[other] {" "}{ $more } more blocks are in this state.
    }
    .fix = find the thread that must end the loop. Does it wait, has it ended, or has it not begun?
masks-differ = deadlock: lanes of a warp wait for each other with different masks
    .why = Lanes meet only where operation and mask are the same. Each of these masks names lanes that wait elsewhere.
    .fix = { $come ->
        [unknown] give all lanes that meet the same mask, made before the branch
       *[other] { all-come }
    }
operations-differ = deadlock: lanes of a warp wait for each other in different operations
    .why = Lanes meet only where operation and mask are the same. Each of these masks names lanes that wait elsewhere.
    .fix = let all lanes that a mask names make the same call{ $shuffles ->
        [true] {""}
       *[false] , or take the others out of the mask
    }
outside-own-mask = a lane calls a warp operation with a mask that leaves the lane out
    .why = What such a lane gets, and whether it waits, is undefined.
    .fix = { $come ->
        [unknown] call it only in lanes that the mask names, or put every caller into the mask
       *[other] { all-come }
    }
all-come = name all lanes that reach { $at ->
    [0] this call
   *[other] line { $at }
}{ $whole ->
    [true] : 0xffffffff
   *[false] {""}
}{ $come ->
    [barrier] {""}
   *[other] . If the lanes form groups, give each lane the mask of its own group
}
