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
answer-wrong = { $kernel }: the answer was wrong in { $wrong } of { $runs } { $on_gpu ->
    [true] launches
   *[false] runs
}; first: { $why }
wanted = expected: { $text }
why-wrong = why: the emulator found no data race, no bad access and no deadlock, so the kernel itself calculates a wrong result
next-on-wrong = next: { $run ->
    [smaller] take the smaller run below, and follow one wrong result by hand
    [same] take the run below, and follow one wrong result by hand
   *[this] follow one wrong result by hand
}. `{ $reference }` computes the right one
more-on-wrong = more: --explain wrong-result
see-again = { $kernel }: to see it again:
smallest-wrong = { $kernel }: the smallest run with a wrong answer: { $run } ({ $wrong })

smallest-run = size { $size }, { $schedule }
smallest-without-choices = size { $size }, in order, but { $reorders_blocks ->
    [true] blocks start in another order and{" "}
   *[false] {""}
}lanes that diverged do not wait to meet again
smallest-with-choices = size { $size }, in-order, except for { $count } { $count ->
    [one] choice
   *[other] choices
} of the { $schedule } schedule
smallest-shows-it = { $run }, with other values and threads than above{ $is_wrong ->
    [true] , and the answer is wrong ({ $why })
   *[false] {""}
}
more = --explain { $slug }{ $is_verbose ->
    [true] {""}
   *[false] , --verbose
}
luck = found in { $found } of { $runs } runs; the answer was wrong in { $wrong }
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
diagram-absent = ! reads a lane that is not there
diagram-apart = - takes no part
diagram-brings = brings
diagram-group = group
diagram-gets = { $letter } gets { $mask }
