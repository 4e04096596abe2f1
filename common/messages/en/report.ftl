### What a lesson says as it runs: its first lines, and what stands around a finding.

opening = { $lesson } on the { $device }: { $name }
opening-why = because { $why }
opening-input = reading { $path }: { $input }
opening-unchanged = --n does not change the size of these rows: { $rows }

does-not-compile = { $kernel }: nvcc does not compile it:
more-findings = { $kernel }: { $count ->
    [one] 1 more finding. `--verbose` shows it
   *[other] { $count } more findings. `--verbose` shows them
}
next-on-refused = compare it with `{ $correct }` in { $path }, which nvcc compiles
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
label-why = why
label-next = next
label-more = more
label-see = { $is_smaller ->
    [true] see a smaller run
   *[false] see this run
}
why-wrong = no data race, no bad access and no deadlock was found. The kernel itself computes a wrong result{ $has_line ->
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
        [one] { $unread } (written in line { $line }) is never read. Is it missing in this value?
       *[other] { $unread } (written in line { $line }) are never read. Is one of them missing in this value?
    }
} `{ $reference }` computes the right one
see-again = { $kernel }: to see it again:
smallest-wrong = { $kernel }: the smallest run with a wrong answer: { $wrong }

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
