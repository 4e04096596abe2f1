warpgroup-misused = { $misuse ->
    [incomplete] `{ $instruction }` in a warpgroup of { $number } threads
    [lanes-missing] `{ $instruction }` in a warp of which { $number } { $number ->
        [one] thread has
       *[other] threads have
    } ended
    [lanes-differ] threads of one warp reach `{ $instruction }` in different lines
    [warps-differ] warps of one warpgroup execute different instructions in place of one `{ $instruction }`
    [warp-ended] `{ $instruction }` without warp { $number } of the warpgroup
    [descriptors-differ] warps of one warpgroup give different matrix descriptors to `{ $instruction }`
    [lanes-descriptors-differ] threads of one warp give different matrix descriptors to `{ $instruction }`
   *[scales-differ] threads of one warp disagree on `scale-d` in `{ $instruction }`
}
    .why = { $misuse ->
        [incomplete] A warpgroup is four whole warps of a block, 128 threads. Its first warp has a number that is a multiple of 4.
        [lanes-missing] All 128 threads of a warpgroup must execute the instruction.
        [lanes-differ] All threads of a warpgroup must execute the same instruction.
        [warps-differ] All four warps of a warpgroup must execute the same instructions of this kind, in the same order.
        [warp-ended] All four warps of a warpgroup must execute the instruction. This one has ended.
        [descriptors-differ] The four warps compute one product, so they must give it the same matrices.
        [lanes-descriptors-differ] The warpgroup computes one product, so all its threads must give it the same matrices.
       *[scales-differ] The warp adds to its accumulators as a whole, or not at all.
    }
    .fix = { $misuse ->
        [incomplete] launch blocks of a multiple of 128 threads
        [descriptors-differ] make the descriptor from values that all threads of the warpgroup share, not from the warp's number
        [lanes-descriptors-differ] make the descriptor from values that all threads of the warpgroup share, not from the thread's number
        [scales-differ] let the condition depend on values that all threads share
       *[other] move the instruction to where all 128 threads of the warpgroup reach it
    }
product-not-waited-for = { $accumulator ->
    [true] an accumulator of a `wgmma`
   *[false] a register that a `wgmma` reads
} is used before the `wgmma` is waited for
    .why = `wgmma.mma_async` only begins work. It reads and writes its registers at any time until { $committed ->
        [true] `wgmma.wait_group` has waited for its group.
       *[false] its group is committed, and `wgmma.wait_group` has waited for it.
    }
    .fix = { $committed ->
        [true] execute `wgmma.wait_group` with a smaller number before (2)
       *[false] execute `wgmma.commit_group`, then `wgmma.wait_group`, before (2)
    }
product-not-fenced = no `wgmma.fence` after a write of { $accumulator ->
    [true] an accumulator
   *[false] a register
} that a `wgmma` reads
    .why = A `wgmma.mma_async` accesses registers on its own. Only `wgmma.fence` orders earlier accesses of them before it.
    .fix = execute `wgmma.fence` after (1) and before (2)
first-product-not-fenced = no `wgmma.fence` before the first `wgmma` of a warp
    .why = `wgmma.fence` must come before the first `wgmma.mma_async` of a warpgroup. Without it, nothing orders earlier accesses of its registers before it.
    .fix = execute `wgmma.fence` before (1)
matrix-changed-early = (2) writes a matrix that the `wgmma` in (1) may not have read yet
    .why = `wgmma.mma_async` only begins work. It can read its matrices at any time until its threads have waited for its group by `wgmma.wait_group`. For other threads a barrier must follow.
    .fix = let the warpgroup of (1) commit and wait before (2): `wgmma.commit_group`, then `wgmma.wait_group`. Other threads, and copies that they start, also need a barrier after it
