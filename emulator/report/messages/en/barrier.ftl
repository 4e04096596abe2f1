### Barriers that are misused.

no-such-barrier = there is no barrier { $number }
    .why = A block has sixteen barriers, 0 to 15.
    .fix = use a number from 0 to 15
barrier-count = { $count ->
    [0] threads arrive at a barrier that counts no threads
   *[other] a barrier counts { $count } threads, which is not a number of whole warps
}
    .why = { $count ->
        [0] A thread that arrives and does not wait must say how many threads take part.
       *[other] Whole warps take part in a barrier, so its count is a multiple of 32.
    }
    .fix = { $count ->
        [0] count the threads that arrive and those that wait, in whole warps
       *[other] use the next multiple of 32. Threads that have ended count with their warp
    }
arrives-twice = a thread arrives twice at one barrier before it completes
    .why = A thread that arrives and does not wait must not arrive again before the barrier has completed.
    .fix = let the thread wait at a second barrier until the first one has completed
waits-unarrived = a thread waits at the barrier of its cluster and has not arrived there
    .why = The barrier completes when all threads of the cluster have arrived. This thread waits for itself, so it waits for ever.
    .fix = call `cluster.barrier_arrive()` before the wait, or `cluster.sync()` in place of both
counts-differ = warps give one barrier different counts of threads
    .why = All threads that take part in a barrier must give the same count.
    .fix = give the barrier one count, or use two barriers
reductions-differ = a barrier with a vote meets one without, or with another vote
    .why = All threads that take part in a barrier with a vote must use the same kind of vote.
    .fix = use the same barrier function on all paths, or barriers with different numbers
barrier-object = { $misuse ->
    [no-object] { $object } is used as a barrier before it is initialized
    [count] { $object } must wait for { $count } arrivals
    [too-many] more threads arrive at { $object } than it waits for
    [still-valid] { $object } is { $overwritten ->
        [true] overwritten
       *[false] initialized again
    } while it is a valid barrier
    [other-block] a copy signals { $object } in another block than it writes to
    [bulk-size] a bulk copy of { $count } bytes, which is not a multiple of 16
    [completes] an arrival with `.noComplete` completes a phase of { $object }
   *[transactions] the transaction count of { $object } is out of range
}
    .why = { $misuse ->
        [no-object] Nothing has initialized a barrier object there, or it was invalidated or overwritten.
        [count] A barrier object waits for 1 to { $most } arrivals.
        [too-many] The barrier was initialized for fewer threads than arrive in one phase.
        [still-valid] A barrier object that is in use must be invalidated before its memory holds anything else, a new barrier included. Without that, the PTX ISA leaves the behavior undefined.
        [other-block] The PTX ISA asks for the destination and the barrier object in the shared memory of one block.
        [bulk-size] Bulk copies move whole units of 16 bytes. Any other size is undefined behavior.
        [completes] `.noComplete` promises that other arrivals are still pending.
       *[transactions] A phase counts at most { $most } transactions.
    }
    .fix = { $misuse ->
        [no-object] initialize the barrier in one thread, then { $in_cluster ->
            [true] `cluster.sync()`
           *[false] `__syncthreads()`
        }, then use it
        [count] count the threads that arrive in each phase
        [too-many] initialize the barrier with the arrivals of one phase, and let threads wait before they arrive again
        [still-valid] { $overwritten ->
            [true] execute
           *[false] keep the barrier and wait for its next phase, or execute
        } `mbarrier.inval` (`~barrier()`) after its last use and before (2)
        [other-block] map the address of the barrier to the block of the destination too, with `mapa`
        [bulk-size] copy a multiple of 16 bytes, and the rest by ordinary loads and stores
        [completes] let the last arrival be one without `.noComplete`
       *[transactions] expect in each phase as many transactions as complete in it
    }
barrier-divergence = threads of one warp reach { $barrier ->
    [0] `__syncthreads()`
   *[other] barrier { $barrier }
} { $one_line ->
    [true] on different paths or in different iterations
   *[false] in different lines
}
    .why = A barrier such as `__syncthreads()` may be in a branch only if all threads take that branch. Here two different barriers pair up, and every later one can too.
    .fix = move the barrier out of the branch, so that all threads reach the same one{ $in_loop ->
        [true] , and let all threads run the loop equally often
       *[false] {""}
    }
warps-at-different-barriers = warps of one block meet at { $one_line ->
    [true] two different `__syncthreads()` of one line
   *[false] `__syncthreads()` in different lines
}
    .why = The CUDA programming guide allows `__syncthreads()` in a branch only if all threads of the block take it. PTX lets these warps pair up, and the next barrier can pair the wrong ones.
    .fix = move the barrier out of the branch, so that all threads of the block reach the same one
barrier-in-branch = { $lanes ->
    [true] some threads of a warp wait at a barrier that the others skip
   *[false] some warps of a block wait at a `__syncthreads()` that the others skip
}
    .why = { $lanes ->
        [true] A warp must reach such a barrier with all its threads that have not ended. These threads take different paths and meet again later, so one part passes a barrier without the other.
       *[false] The CUDA programming guide allows `__syncthreads()` in a branch only if all threads of the block take it. PTX lets the other warps skip it, and the next barrier can pair the wrong ones.
    }
    .fix = { $loops ->
        [true] let all threads run the loop equally often, or move the barrier out of the loop
       *[false] move the barrier out of the branch, so that all threads reach it
    }
left-before-barrier = some threads of a block leave the kernel before a `__syncthreads()` that the others reach
    .why = The CUDA programming guide allows `__syncthreads()` in conditional code only if the condition is the same for the whole block. Since compute capability 7.0 the barrier waits only for the threads that have not exited.
    .fix = let all threads of the block reach the barrier: put the condition around the work, in place of a `return`
