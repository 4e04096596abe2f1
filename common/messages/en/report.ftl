### What a lesson says as it runs: its first lines, and what stands around a finding.

opening = { $lesson } on the { $device }: { $name }
opening-why = because { $why }
opening-runs = each kernel runs many times: first in order, then on a smaller input, with its threads in other orders
opening-exhaust = every execution that the memory model allows, at the smallest size at which there are several
opening-input = reading { $path }: { $input }
opening-unchanged = --n does not change the size of these rows: { $rows }

does-not-compile = { $kernel }: nvcc does not compile it:
more-findings = { $kernel }: { $count ->
    [one] 1 more finding. `--verbose` shows it
   *[other] { $count } more findings. `--verbose` shows them
}
next-on-refused = { $instead ->
    [shuffle] `{ $name }()` and other warp functions without a mask, such as `__ballot()`, no longer exist. Use `{ $name }_sync()`: its first argument is a mask of the lanes that take part. { see-correct }
    [vote] `{ $name }()` and other warp functions without a mask no longer exist. Use `{ $name }_sync()`: its first argument is a mask of the lanes that take part. { see-correct }
    [child] a kernel can no longer wait for its child. Put what comes after it into another kernel, launched by `<<<1, 1, 0, cudaStreamTailLaunch>>>`. { see-correct }
    [multi-grid] CUDA 13 has no barrier over several GPUs. Launch one kernel on each GPU, and let the host wait between two steps
    [sync] the barrier of a group is called `sync()`: write `block.sync()` or `cg::sync(block)`. { see-correct }
    [valid] a block can always use its barrier, so it has no `is_valid()`. Write only `block.sync()`. { see-correct }
   *[nothing] compare it with `{ $correct }` in { $path }, which nvcc compiles
}
see-correct = For a kernel that nvcc compiles, see `{ $correct }` in { $path }
answer-wrong = { $kernel }: the answer was wrong in { $wrong } of { $runs } { $on_gpu ->
    [true] launches
   *[false] runs
}; { $is_smaller ->
    [true] in the smallest run
   *[false] in the first
}: { $why }
wrote-last = { $deed }, the last write of { $element }
changed-last = { $deed }: { $element } goes from { $found } to { $left }, its last change
of-kernel = , kernel `{ $kernel }`
label-wanted = expected
label-ruled-out = ruled out
label-next = next
label-more = more
label-see = { $is_smaller ->
    [true] see the smallest run
   *[false] see this run
}
why-wrong = a data race, a bad access and a deadlock. The kernel itself computes a wrong result{ $has_line ->
    [true] , in this line or before it
   *[false] {""}
}
next-on-wrong = { $note ->
    [reason] read the note below: it explains this value.
    [other] follow this value back by hand. The note below is not the reason: what it tells does not reach this value.
    [open] read the note below: it may be the reason.
    [increment] `atomicInc()` writes 0 when it finds its second argument or more. That argument is a limit, and is not added.
    [decrement] `atomicDec()` writes its second argument when it finds 0, or a value above that argument. It is a limit, and is not subtracted.
    [atomic] check what this atomic operation does. Is this the change that you want?
   *[none] { $count ->
        [0] follow this value back by hand.
        [one] no thread reads { $unread } (written in line { $line }). It is probably missing in this value: check which index or bound leaves it out.
       *[other] no thread reads { $unread } (written in line { $line }). Some of them are probably missing in this value: check which index or bound leaves them out.
    }
} `{ $reference }` computes the right one
see-again = { $kernel }: to see a run with a wrong answer:
smallest-wrong = { $kernel }: the smallest run in which the answer is also wrong: { $wrong }

size = size { $size } ({ $unit ->
    [ints] ints
    [floats] floats
    [threads] threads
    [pixels] pixels
   *[bytes] bytes
})
smallest-run = { $size }, { $schedule ->
    [in-order] one warp after the other
    [reverse] one warp after the other, the last one first
    [random] in random order
    [pct] in an order of random priorities
   *[adversarial] lanes of one warp run at different times, and writes are seen late
}
smallest-without-choices = { $size }, in order, but { $reorders_blocks ->
    [true] blocks start in another order and{" "}
   *[false] {""}
}lanes that diverged do not wait to meet again
smallest-with-choices = { $size }; { $count ->
    [one] the number after `@` is the step
   *[other] the { $count } numbers after `@` are the steps
} at which another lane goes first{ $is_adversarial ->
    [true] {" "}or a write is seen late
   *[false] {""}
}
smallest-shows-it = { $run }, with other values and threads than above{ $is_wrong ->
    [true] , and the answer is wrong ({ $why })
   *[false] {""}
}
more = --explain { $slug }{ $is_verbose ->
    [true] {""}
   *[false] , --verbose
}
luck = found in { $found } of { $runs } runs; the answer was { $wrong ->
    [0] right in all{ $by_luck ->
        [true] , by luck
       *[false] {""}
    }
   *[other] wrong in { $wrong }
}
luck-right = the answer of this run was correct
luck-wrong = the answer of this run was wrong ({ $why })
luck-stopped = the device stopped this run
luck-long = found in { $found } of { $runs } runs{ $reversed ->
    [0] {""}
   *[other] , in { $reversed } of them with (2) before (1)
}; the answer was wrong in { $wrong }; { $this }

no-proof = The emulator gave no proof: { $why }
proofs = What the emulator finds in the same broken kernels, independent of luck:
proof = { $kernel }: { $slug } at { $at }
proof-wrong = { $kernel }: wrong in { $wrong } of { $runs } runs

diagram-reads = reads
diagram-own = . keeps its own value
diagram-absent = ! reads a lane that gives no value
diagram-apart = - takes no part
diagram-brings = brings
diagram-group = group
diagram-gets = { $letter } gets { $mask }

exhausted-right = { $executions ->
    [one] its 1 execution is right
   *[other] all { $executions } executions are right
}
exhausted-wrong = { $wrong } of { $executions } executions are wrong ({ $why })
exhausted-bounded = { $wrong ->
    [0] { $executions ->
        [one] 1 execution of an unknown number, not wrong
       *[other] { $executions } executions of an unknown number, none wrong
    }
   *[other] { $executions ->
        [one] 1 execution of an unknown number, wrong ({ $why })
       *[other] { $executions } executions of an unknown number, { $wrong } wrong ({ $why })
    }
}
exhausted-racing = { $count } with a data race
exhausted-endless = { $count } without an end
exhausted-misplaced = { $count } with an access or a barrier that is not allowed
exhausted-mistaken = { $count } with a wrong answer
exhausted-refused = not explored: { $feature ->
    [mixed-sizes] threads access the same bytes with different sizes
    [wide] threads share memory by accesses of 16 bytes
    [asynchronous-copy] it copies asynchronously
    [barrier-object] it uses a barrier object
    [image] it reads a texture or a surface
    [device-runtime] it launches kernels, uses the heap, or is launched cooperatively
    [cluster-barrier] it uses the barrier of a cluster
    [warpgroup] it uses instructions of a warpgroup (`wgmma`)
    [events] its threads share memory by too many accesses
    [instructions] it runs too many instructions
   *[threads] it has too many threads
}
exhausted-in-all = { $right } of { $correct } correct kernels proved at their size; { $shown } of { $broken } broken ones show a wrong execution
exhausted-fixed = In all of them each thread runs alone, so `__activemask()` gives one lane. Undefined values are not judged.
exhausted-none = the time ended before one execution was complete
execution-head = executions: { $complete ->
    [true] { $wrong } of { $executions } are wrong
   *[false] { $wrong } of the first { $executions } are wrong
}; the simplest:
execution-page = see it: { $command }
exhausted-interrupted = Ctrl-C ended the search: the kernels after this were not explored
lean-removed = { $file }:{ $line }: without `{ $instruction }` { $executions ->
    [one] its 1 execution is right, too
   *[other] all { $executions } executions are right, too
}
lean-block-scope = { $file }:{ $line }: with block scope for `{ $instruction }` { $executions ->
    [one] its 1 execution is right, too
   *[other] all { $executions } executions are right, too
}
lean-head = not needed at this size:
lean-none = each barrier, fence and scope is needed, or its executions are too many to visit
