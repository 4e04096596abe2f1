### Two accesses that nothing orders. KEY says what is missing; `race` puts the place before it.
### $both: "a write and a read"; $between: "between lines 17 and 19"; $distance: of the two threads, warp, block or grid.

race = { $kind ->
    [open] either order is possible on { $place }: { $missing }
    [same] two equal writes race on { $place }: { $missing }
   *[race] data race on { $place }: { $missing }
}
between-lines = between lines { $first } and { $last }
before-line = before line { $line }
between-accesses = between the two accesses
elsewhere = { $why } Between other threads of these lines: { $narrow }.
at-distance = { $distance ->
    [warp] of one warp
    [block] of different warps of one block
   *[grid] of different blocks
}
others = { $why } Threads { $who } { $are ->
    [open] do the same
   *[race] race here too
}.
narrow-part = { $what ->
    [fence] the fence
    [atomic] the atomic operation
    [load] the read
    [arrival] the arrival
   *[store] the write
} in line { $line }
wider = `{ $wide }` in place of `{ $narrow }`
wider-add = `atomicAdd()` or `atomicSub()` in place of the function with `_block`
of-library-fix = both lines are a library's: look at what the call was given, such as ranges that overlap or an algorithm in place. If nothing is wrong there, the library relies on more order than CUDA promises

# What two threads do in one line.
in-one-line = { $step ->
    [update] two threads{ apart } update it, and nothing orders them
    [writes] two threads{ apart } write it, and nothing orders them
    [reads] { $distance ->
        [grid] one block reads it, another block writes it, and nothing orders them
       *[block] one thread reads it, another thread writes it, with no barrier between them
    }
   *[others] nothing orders { $both } in this line
}
apart = { $distance ->
    [grid] {" "}of different blocks
   *[block] {""}
}
one-step-fix = { $step ->
    [update] an atomic operation{ $shared ->
        [true] {""}
       *[false] , or one element per thread and a combined result at the end
    }
    [writes] let one thread write, or { $equal ->
        [true] write atomically: `atomicExch(p, v)`
       *[false] use one element per thread
    }
    [reads] { $widest ->
        [grid] { $in_loop ->
            [true] one launch for each iteration, or a cooperative launch with `grid.sync()` in each iteration
           *[false] write the results to another array than the one that is read
        }
       *[block] { $in_loop ->
            [true] { one-barrier } after this line in every iteration, for all threads. If a thread overwrites what another still reads in the same iteration: also between the read and the write
           *[false] read into a variable, then { one-barrier } for all threads, then write
        }
    }
    [copies] let the thread that copies wait for its copy, then { one-barrier }, then the read. After the read another { one-barrier }, before the next copy to the same place starts; in a `cuda::pipeline`, `consumer_release()` after the read
    [objects] let one thread of the block initialize it, then `__syncthreads()` before its first use. In a block of several dimensions, `threadIdx.x == 0` is more than one thread
   *[others] one atomic operation for all that the line does
}
one-barrier = { $one_warp ->
    [true] `__syncwarp()`
   *[false] `__syncthreads()`
}

## Launches and grids

launches-unordered = no stream, event or graph edge orders two launches
    .why = Launches in different streams can run at the same time. One stream runs its launches one after the other.
    .fix = launch both into one stream, let one stream wait for an event of the other, or connect their nodes by an edge of the graph
dependent-without-wait = this launch may start before the previous one has ended, and never waits for it
    .why = With programmatic stream serialization a launch starts as soon as each block of the previous one has triggered or ended.{ $triggered ->
        [true] {" "}A trigger (`cudaTriggerProgrammaticLaunchCompletion()`) orders nothing: the next launch may miss even what was written before it.
       *[false] {""}
    }
    .fix = call `cudaGridDependencySynchronize()` in the later kernel, before this access
dependent-before-wait = this access comes before the wait for the previous launch
    .why = With programmatic stream serialization a launch starts before the previous one has ended. Only `cudaGridDependencySynchronize()` orders the two, and only for the thread that calls it.
    .fix = move `cudaGridDependencySynchronize()` above this access. If another thread calls it: then `__syncthreads()` before this access
dependent-on-waitless = `{ $first }`, launched between the two, does not wait for the earlier one
    .why = `cudaGridDependencySynchronize()` waits for the previous launch. That one may end before the launches ahead of it, since it never waits for them.
    .fix = call `cudaGridDependencySynchronize()` in `{ $first }` too, or launch it without programmatic stream serialization
parent-and-child-unordered = the parent { $parent ->
    [reads] reads
   *[writes] changes
} it while child `{ $child }` may run
    .why = The child can run at any time after its launch. It sees what its launching thread knew then, and no later write of the parent.
    .fix = { $parent ->
        [reads] move this read into another kernel, launched by `<<<1, 1, 0, cudaStreamTailLaunch>>>`: that one starts after the child has ended
       *[writes] write it before the launch. If other threads of the block write it: then `__syncthreads()`, then the launch
    }
grids-unordered = no stream orders the grids of `{ $first }` and `{ $second }`
    .why = Kernels launched these two grids into different streams. Each block has a NULL stream of its own.
    .fix = launch both into one stream, or launch the later one by `<<<blocks, threads, 0, cudaStreamTailLaunch>>>`
host-unordered = no order between { $first } and { $operation }
    .why = { $how ->
        [touches] A launch only begins work. Until the host waits for it, the kernel may run now, later, or be done.
        [copies] An asynchronous copy only begins work. Until the host waits for it, it may run now, later, or be done.
        [pageable-before] `cudaMemcpy()` from pageable host memory may return before its transfer to the device has finished. A stream made with `cudaStreamNonBlocking` does not wait for the default stream, which has this copy.
        [pageable-after] `cudaMemcpy()` runs in the default stream. That one does not wait for a stream made with `cudaStreamNonBlocking`.
       *[streams] The two are in streams that nothing orders, so they can run at the same time.
    }
    .fix = { $how ->
        [touches] call `cudaDeviceSynchronize()`, or wait for the stream, before the host touches this memory
        [copies] call `cudaDeviceSynchronize()`, or wait for the stream, before the host touches this memory
        [pageable-before] call `cudaStreamSynchronize(0)` after the copy, or copy with `cudaMemcpyAsync()` in the kernel's stream
        [pageable-after] wait for the kernel's stream before the copy, or copy with `cudaMemcpyAsync()` in that stream
       *[streams] use one stream for both, or let one stream wait for an event of the other
    }

## Scope and copies

scope-too-narrow = { $count ->
    [0] the synchronization applies within one block only
    [one] { $which } applies within its own block only
   *[other] { $which } apply within their own block only
}
    .why = (1) and (2) are in different blocks. Block scope works only between threads of one block.
    .fix = { $count ->
        [0] { $is_arrival ->
            [true] cluster scope for the arrival
           *[false] device scope on both sides of the synchronization
        }
        [one] give it { $is_arrival ->
            [true] cluster scope
           *[false] device scope
        }
       *[other] give them { $is_arrival ->
            [true] cluster scope
           *[false] device scope
        }
    }: { $has_wide ->
        [true] { $wide }
       *[false] the function without `_block` in its name, `thread_scope_device` in `cuda::` objects
    }
copies-unordered = two asynchronous copies, with no wait between them
    .why = Asynchronous copies have no order, not even those of one thread. Waiting for the first one makes an order.
    .fix = wait for the first copy before the second starts: `cg::wait()`, `pipe.consumer_wait()` or `__pipeline_wait_prior()`
copy-not-waited-for = the thread has not waited for its asynchronous copy
    .why = { $writes ->
        [true] The bytes of the copy can arrive at any time until its thread has waited for it.
       *[false] The copy can read its source at any time until its thread has waited for it.
    }
    .fix = wait for the copy { $between }: `cg::wait()`, `pipe.consumer_wait()` or `__pipeline_wait_prior()`
copy-not-handed-on = the asynchronous copy (1) of another thread is not waited for
    .why = A copy is complete for the thread that started it once that thread has waited for it. Other threads need a barrier after the wait.
    .fix = let the thread of (1) wait for its copy, for example by `cg::wait()`, then `__syncthreads()`, then (2)
bulk-copy-not-waited-for = { $by_object ->
    [true] ({ $copy }) is a bulk copy, and no wait before ({ $other }) has found its phase complete
   *[false] { $widest ->
        [grid] nothing orders ({ $copy }), a bulk copy, before ({ $other })
       *[other] ({ $copy }) is a bulk copy, and ({ $other }) does not wait for its group
    }
}
    .why = { $writes ->
        [true] The bytes of a bulk copy can arrive at any time until { $by_object ->
            [true] a wait on its barrier has found the phase complete. A wait for an earlier phase does not help. Nor does one for a phase that expects too few bytes.
           *[false] its thread has waited for the copy's bulk group. A wait for the reads alone is not enough.
        }
       *[false] A bulk copy can read its source at any time until { $by_object ->
            [true] a wait on its barrier has found the phase complete.
           *[false] its thread has waited for the reads of the copy's bulk group.
        }
    }
    .fix = { $by_object ->
        [true] { $writes ->
            [true] let each thread wait for the copy's phase before ({ $other }): `bar.wait()`, or repeat `mbarrier_try_wait_parity()` until it is true. Check the parity and `expect_tx`, too
           *[false] let a thread wait for the copy's phase before ({ $other }), as by `bar.wait()`. Other threads also need a barrier after it. If the copy's barrier is in another block, wait there, then `cluster.sync()`
        }
       *[false] { $writes ->
            [true] let the thread of (1) commit and wait before (2): `cp_async_bulk_commit_group()`, then `cp_async_bulk_wait_group(n32_t<0>())`{ after-bulk-wait }
           *[false] let the thread of (1) commit and wait before (2): `cp_async_bulk_commit_group()`, then `cp_async_bulk_wait_group_read(n32_t<0>())`{ after-bulk-wait }
        }
    }
after-bulk-wait = { $widest ->
    [warp] . Other lanes of the warp also need `__syncwarp()` after it
    [grid] . Then order (2) by release and acquire
   *[other] . Other threads also need a barrier after it
}
proxy-fence-missing = no proxy fence between the write (1) and the { $product ->
    [true] `wgmma`
   *[false] bulk copy
} (2)
    .why = { $product ->
        [true] A `wgmma`
       *[false] A bulk copy
    } accesses memory through the asynchronous proxy. A barrier orders (1) before (2), but only a proxy fence makes (1) visible there.
    .fix = `fence.proxy.async` after (1), before the barrier: `cuda::ptx::fence_proxy_async()`, in the threads that write

## Two threads of one launch

order-left-open = { $one_access ->
    [true] { in-one-line }
   *[false] nothing orders { $both }
}
    .why = Atomic and volatile accesses do not race, but they wait for no other thread. Either of the two can come first.
    .fix = { $both_update ->
        [true] one atomic operation that combines both values, such as `atomicAdd()` or `atomicMin()`
       *[false] { $one_access ->
            [true] { one-step-fix }
           *[false] { no-order-fix }
        }
    }
no-order-fix = { $widest ->
    [warp] { $in_branches ->
        [true] { $in_loop ->
            [true] a `__syncwarp()` in each of the two branches, between (1) and (2), with both lanes in its mask
           *[false] `__syncwarp()` between the two branches: end the first before it, begin the second after it
        }
       *[false] `__syncwarp()` { $between }, reached by both lanes{ overlap-if }
    }
    [block] { $in_branches ->
        [true] { $in_loop ->
            [true] a barrier in both branches, between (1) and (2), for just these threads: `cuda::barrier`, or `bar.sync` with their number. `__syncthreads()` waits for the whole block
           *[false] `__syncthreads()` between the two branches: end the first before it, begin the second after it
        }
       *[false] `__syncthreads()` { $between }, reached by every thread of the block{ overlap-if }
    }
   *[grid] { $in_cluster ->
        [true] `cluster.sync()` { $between }, reached by every thread of the cluster
       *[false] { $cooperative ->
            [true] `grid.sync()` { $between }, reached by every thread of the grid. Or split the kernel into two launches, one after the other
           *[false] split the kernel into two launches, one after the other. Or use a cooperative launch, with `grid.sync()` between the two
        }
    }
}
overlap-if = { $two_arrays ->
    [true] . If these are two arrays, they overlap: look at where each begins
   *[false] {""}
}
atomic-read = { $wide ->
    [true] `atomicCAS(p, x, x)`
   *[false] `atomicAdd(p, 0)`
}
plain-flag = { $is_mixed ->
    [true] the flag is atomic or volatile in { $strong } only
   *[false] the flag is a plain variable
}
    .why = { $waits ->
        [once] A compiler reads a plain flag once and keeps the value, so the loop never sees a change.
       *[again] A flag that another thread waits for must be atomic or volatile on both sides.
    }
    .fix = { $sets ->
        [nothing] { atomic-read } to read the flag
        [other] `atomicExch(p, v)` to set the flag to v and { atomic-read } to read it
       *[one] `atomicExch(p, 1)` to set the flag and { atomic-read } to read it
    }. Add a `__threadfence()` before it is set and another after it is seen
# Where both are meant to be atomic, that is what is missing; else it is an order.
plain-beside-atomic = { $wants_atomic ->
    [true] nothing orders plain access { $plain } and { $strong_kind ->
        [atomic] atomic
       *[other] atomic or volatile
    } access { $strong }
   *[false] { no-order }
}
    .why = { $strong } is { $strong_kind ->
        [atomic] atomic
       *[other] atomic or volatile
    }, { $plain } is a plain access. An atomic or volatile access orders nothing for a plain access of another thread.
    .fix = { $compares ->
        [true] make { $plain } atomic: { atomic-read } is an atomic read of `*p`
       *[false] { $one_line ->
            [true] one atomic operation for all that the line does
           *[false] { $plain_access ->
                [load] { no-order-fix }{ $in_cluster ->
                    [true] {""}
                   *[false] . If either order gives a correct result, make { $plain } atomic: { atomic-read } is an atomic read of `*p`
                }
                [store] { no-order-fix }{ $in_cluster ->
                    [true] {""}
                   *[false] . If either order gives a correct result, make { $plain } atomic: `atomicExch(p, v)` is an atomic write
                }
               *[update] make { $plain } atomic: `atomicAdd(p, v)` for `*p += v`. If one must come first: { no-order-fix }
            }
        }
    }
no-order = { $widest ->
    [warp] no `__syncwarp()` between { $both }
    [block] no barrier between { $both }
   *[grid] nothing orders { $both } in different blocks
}
lanes-unordered = { $one_access ->
    [true] { in-one-line }
   *[false] { $widest ->
        [warp] no `__syncwarp()` between { $both }
        [block] no barrier between { $both }
       *[grid] nothing orders { $both }
    }
}
    .why = Both threads are lanes of one warp. The lanes of a warp run in no fixed order until they synchronize.
    .fix = { $one_access ->
        [true] { one-step-fix }
       *[false] { $widest ->
            [warp] { $in_branches ->
                [true] { no-order-fix }
               *[false] `__syncwarp({ $has_branch ->
                    [true] { $lanes }
                   *[false] {""}
                })` { $between }, reached by { $has_branch ->
                    [true] these lanes: only they take the branch in line { $branch }
                   *[false] both lanes{ overlap-if }
                }
            }
           *[other] { no-order-fix }
        }
    }
no-barrier = { $one_access ->
    [true] { in-one-line }
   *[false] no barrier between { $both }
}
    .why = Both threads are in one block. The threads of a block run in no fixed order until they reach a barrier.
    .fix = { $one_access ->
        [true] { one-step-fix }
       *[false] { no-order-fix }
    }
blocks-unordered = { $one_access ->
    [true] { in-one-line }
   *[false] nothing orders { $both } in different blocks
}
    .why = { $in_cluster ->
        [true] Blocks of a cluster run in any order. Only the barrier of the cluster, or a barrier object, orders their accesses of shared memory.
       *[false] Blocks of one launch run in any order. The end of the kernel is the barrier between them.
    }
    .fix = { $one_access ->
        [true] { one-step-fix }
       *[false] { $in_cluster ->
            [true] { $in_branches ->
                [true] let the block of (1) arrive at a barrier object of the other block after it, and wait for that phase before (2): `mapa`, `mbarrier.arrive.shared::cluster`
               *[false] { no-order-fix }
            }
           *[false] { $cooperative ->
                [true] { no-order-fix }
               *[false] split the kernel into two launches, one after the other. Or use an atomic flag, if all blocks run at once: `__threadfence()` before it is set and after it is seen
            }
        }
    }

## What is missing where it is known

fence-after-look = no fence after { $word ->
    [lock] the lock is taken
    [counter] the counter is read
    [variable] the atomic variable is read
   *[flag] the flag is seen
}{ $look ->
    [0] {""}
   *[other] {" "}in line { $look }
}
    .why = { $look ->
        [0] A thread saw that (1) was done, but no fence lies between that and (2).
       *[other] Line { $look } saw that (1) was done, but no fence follows it{ $before_barrier ->
            [true] {" "}before the barrier
           *[false] {""}
        }.
    } Without a fence { late }.
    .fix = { $look ->
        [0] `__threadfence()` after the line that { sees-word }
       *[other] `__threadfence()` after line { $look }, in the thread that { sees-word }
    }
    .untold = { $word ->
        [lock] taking the lock
        [counter] reading the counter
        [variable] reading the atomic variable
       *[flag] seeing the flag
    }{ $look ->
        [0] {""}
       *[other] {" "}in line { $look }
    } does not order the two accesses
    .untold-why = { $look ->
        [0] A thread saw that (1) was done.
       *[other] Line { $look } saw that (1) was done.
    } Even so, { late }.
late = { $accesses ->
    [read-write] the later write can come before the read (1), which then gives the new value
    [write-write] the later write can come before (1), which then replaces its value
   *[write-read] the later read can still give the old value
}
sets-word = { $word ->
    [lock] releases the lock
    [counter] adds to the counter
    [variable] changes the variable
   *[flag] sets the flag
}
sees-word = { $word ->
    [lock] takes the lock
    [counter] reads the counter
    [variable] reads the variable
   *[flag] sees the flag
}
fence-before-flag = no fence before { $word ->
    [lock] the lock is released
    [counter] the addition to the counter
    [variable] the atomic variable is changed
   *[flag] the flag is set
} in line { $set }
    .why = Line { $set } { sets-word } after (1). Without a fence between them, another thread can see that { $accesses ->
        [read-write] and write before (1) has read
       *[other] before it sees (1)
    }.
    .fix = `__threadfence()` { flag-place }, in the thread that { sets-word }
    .untold = { $word ->
        [lock] releasing the lock
        [counter] adding to the counter
        [variable] changing the atomic variable
       *[flag] setting the flag
    } in line { $set } does not order the two accesses
    .untold-why = Line { $set } { sets-word } after (1). Another thread can see that { $accesses ->
        [read-write] and write before (1) has read
       *[other] before it sees (1)
    }.
fences-at-flag = no fence before { $word ->
    [lock] the lock is released
    [counter] the addition to the counter
    [variable] the atomic variable is changed
   *[flag] the flag is set
} (line { $set }){ $look ->
    [0] {""}
   *[other] , and none after { $look_is_set ->
        [true] that line
       *[false] it is { $word ->
            [lock] taken
            [counter] read
            [variable] read
           *[flag] seen
        } (line { $look })
    }
}
    .why = Line { $set } { sets-word } after (1). Without fences, another thread can see this change { $accesses ->
        [read-write] and write before (1) has read
        [write-write] and write before (1) does
       *[write-read] and still read the old value of (1)
    }.
    .fix = two `__threadfence()`: one { flag-place }, one after { $look ->
        [0] the line that { sees-word }
       *[other] line { $look }, which { sees-word }
    }
    .untold = { $word ->
        [lock] the lock (released in line { $set }{ $look ->
            [0] {""}
           *[other] , taken in line { $look }
        })
        [counter] the counter (added to in line { $set }{ $look ->
            [0] {""}
           *[other] , read in line { $look }
        })
        [variable] the atomic variable (changed in line { $set }{ $look ->
            [0] {""}
           *[other] , read in line { $look }
        })
       *[flag] the flag (set in line { $set }{ $look ->
            [0] {""}
           *[other] , seen in line { $look }
        })
    } does not order the two accesses
    .untold-why = Line { $set } { sets-word } after (1). Another thread can see that { $accesses ->
        [read-write] and write before (1) has read
        [write-write] and write before (1) does
       *[write-read] and still read the old value
    }.
flag-place = { $is_above ->
    [true] between lines { $first } and { $set }
   *[false] before line { $set }
}
barrier-before-flag = no barrier before the fence in line { $fence }
    .why = Another thread of the block sets the flag in line { $set }. Nothing orders (1) before the fence of that thread.
    .fix = `__syncthreads()` between lines { $first } and { $fence }, reached by every thread of the block
barrier-after-look = no barrier after the flag is seen in line { $look }
    .why = Another thread of the { $one_warp ->
        [true] warp
       *[false] block
    } saw in line { $look } that (1) was done. Nothing orders (2) after that.
    .fix = { $one_warp ->
        [true] `__syncwarp()` between lines { $look } and { $second }, after the fence, reached by the lanes that wait for it
       *[false] `__syncthreads()` between lines { $look } and { $second }, after the fence, reached by every thread of the block
    }
ended-before-barrier = a thread left the kernel before the barrier in line { $barrier }
    .why = The thread of (1) left in line { $end } and did not reach the barrier. A barrier does not wait for threads that have ended.
    .fix = let every thread of the block reach line { $barrier }: no return before it, no branch around it
lane-not-in-mask = the mask in line { $barrier } leaves out lane { $outside }
    .why = At that `__syncwarp()` lane { $inside } met the lanes of { $met } only. Lane { $outside } is not one of them.
    .fix = name all lanes that exchange data in the mask of line { $barrier }. Make the mask before the branch, not by `__activemask()`
lane-ended-before-barrier = a lane left the kernel before the `__syncwarp()` in line { $barrier }
    .why = The lane of (1) left in line { $end } and did not reach the barrier of the warp, which does not wait for it.
    .fix = one `__syncwarp()` { $between } that both lanes reach: no return before it, no branch around it
only-shuffled = a `{ $function }` is no barrier for memory
    .why = Both lanes reach the `{ $function }` in line { $at }. It exchanges registers and orders no memory access.
    .fix = `__syncwarp()` { $between }, beside the `{ $function }`, reached by both lanes
plain-unlock = the lock is released by a plain write in line { $store }
    .why = The thread took the lock by an atomic operation in line { $taken }. A plain write orders nothing for the next thread that takes it.
    .fix = `__threadfence()` and then `atomicExch()` in line { $store }
different-locks = { $held ->
    [none] the two threads hold no common lock
    [both] the two threads hold different locks
   *[first] only one of the two threads holds a lock
}
    .why = { $held ->
        [both] (1) holds the lock at { $first } and (2) the lock at { $second }. Only one common lock keeps them apart.
        [first] (1) holds the lock at { $first }. The thread of (2) does not.
        [second] (2) holds the lock at { $second }. The thread of (1) did not.
       *[none] Nothing keeps two threads out of these lines at the same time.
    }
    .fix = the same lock around both accesses, with a { $one_block ->
        [true] fence
       *[false] `__threadfence()`
    } after it is taken and one before it is released
released-early = the lock is released in line { $release }, before { $access }
    .why = Both threads take this lock. The thread of { $access } released it before that access, so the other thread can come to its own access at the same time.
    .fix = release the lock after line { $line }, with a `__threadfence()` before the release
next-round-unordered = no barrier between line { $below } and line { $above } of the next { $turn ->
    [call] call
   *[iteration] iteration
}
    .why = { $barrier ->
        [0] The barrier between them
       *[other] The barrier in line { $barrier }
    } orders line { $above } before line { $below }. It does not order line { $below } before line { $above } of the next { $turn ->
        [call] call
       *[iteration] iteration
    }.
    .fix = a second { $widest ->
        [warp] `__syncwarp()`
        [grid] `grid.sync()`
       *[other] `__syncthreads()`
    } { $at_end ->
        [true] before line { $above }, in every iteration
       *[false] after line { $below }, before { $turn ->
            [call] the next call of the function
           *[iteration] the next iteration
        }
    }
same-phase = no second barrier beside the one in line { $barrier }
    .why = Both threads passed the barrier in line { $barrier }. Nothing orders what they do between one barrier and the next.
    .fix = another `__syncthreads()` after line { $below }. If a branch skips the barrier in line { $barrier }, let every thread reach it
wrong-means = { $means ->
    [fence] a fence in line { $at }, but no barrier, between { $both }
    [warp-barrier] the barrier in line { $at } is of one warp, the threads are in two
   *[block-barrier] the barrier in line { $at } is of one block, the threads are in two
}
    .why = { $means ->
        [fence] The fence in line { $at } orders the accesses of its own thread. It does not wait for another thread.
        [warp-barrier] The barrier in line { $at } holds the lanes of one warp together. These threads are in two warps.
       *[block-barrier] The barrier in line { $at } holds the threads of one block together. These threads are in two blocks.
    }
    .fix = { no-order-fix }
same-place = two threads write it, because they computed the same index
    .why = { $made ->
        [0] Both threads computed the same index.
       *[other] Both threads computed the same index, in line { $made }.
    }{ $atomic ->
        [0] {""}
       *[other] {" "}It depends on the atomic operation in line { $atomic }, which stands in a branch.
    }
    .fix = { $atomic ->
        [0] one element per thread. If threads share it on purpose, order them, or combine their values by an operation such as `atomicMax()`
       *[other] hand the result of line { $atomic } to the other { $distance ->
            [warp] lanes by a shuffle that all of them reach
           *[other] threads through shared memory, with a `__syncthreads()` before they read it
        }
    }
stale-own-update = the thread reads again what it has updated atomically
    .why = Line { $at } updated the element and returned its old value. Other threads can change it before the plain read.
    .fix = use the value that the atomic operation in line { $at } returns{ $certain ->
        [true] {""}
       *[false] , or { no-order-fix }
    }
overlap = { $is_strong ->
    [true] the two accesses differ in size
   *[false] two writes of different size share bytes
}
    .why = (1) has bytes { $first } to { $first_last } of { $shared ->
        [true] shared memory
       *[false] the buffer
    }, (2) bytes { $second } to { $second_last }.{ $is_strong ->
        [true] {" "}Atomic and volatile accesses race if their sizes differ.
       *[false] {""}
    }
    .fix = { $is_strong ->
        [true] access the memory with one size on both sides
       *[false] if these are two arrays, let them start where they do not overlap. If they are one: { no-order-fix }
    }
