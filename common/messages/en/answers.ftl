### Wrong answers, and what a kernel's runs mean for the lesson.

wrong-length = { $got } elements, expected { $expected }
never-written = { $value } (never written)
wrong-value = got { $got }, expected { $expected }
wrong-element = element { $at } is { $got }, expected { $expected }
wrong-elements = { $wrong } of { $n } { $wrong ->
    [one] is
   *[other] are
} wrong
not-close = element { $at } is { $got }, expected { $expected } within a relative { $tolerance }
wrong-multiset = { $same ->
    [true] of { $expected } elements
   *[false] { $got } elements, expected { $expected }:
} { $missing ->
    [one] 1 is
   *[other] { $missing } are
} missing, and { $surplus ->
    [one] 1 is
   *[other] { $surplus } are
} too many
for-example = for example, the value { $value } is there { $is_missing ->
    [true] too seldom
   *[false] too often
}
device-launch-failed = a launch in the kernel failed with code { $code }

compiles-now = nvcc compiles it now. If you fixed it, well done. It is not run, so compare it with the correct kernel. The lesson expects `compile-fail` here
did-not-run = it did not run
wrong-first-run = wrong in { $wrong } of { $runs } runs, first under { $run }: { $why }
wrong-first-launch = wrong in { $wrong } of { $runs } runs, first in launch { $launch }: { $why }
another-finding = { $is_there ->
    [true] also reported as { $other }
   *[false] no { $slug } any more, but now { $other }
}
still-wrong = no { $slug } any more, but the answer is still wrong in { $wrong } of { $runs } runs
note-is-left = no { $slug } any more, and every answer is correct. A note is left
not-on-own-lines = no { $slug } was found on the kernel's own lines
reported-as = reported as { $finding }
other-cause = the number of findings is the same, but the cause has changed: { $findings }
on-the-way = you are on the way: the kernel came with { $shipped } findings, and { $left } { $left ->
    [one] is
   *[other] are
} left: { $findings }
looks-fixed = { $gone ->
    [race] no race any more, and{" "}
    [finding] no finding any more, and{" "}
   *[nothing] {""}
}every answer is correct{ $has_input ->
    [true] {" "}on this input ({ $input })
   *[false] {""}
}. If you fixed it, well done. The lesson expects `{ $expected }` here
finding-at = { $slug } at { $lines }
