### What stands around a finding's sentences.

error = error
note = note
in-kernel-named = , kernel `{ $kernel }`
in-block-of-grid = , block { $block }
kernel-alone = kernel `{ $kernel }`
line-of-ptx = line { $line } of the PTX
called-from-line = , called from line { $line }
# Follows what a thread does at a line whose text does not name the function.
called-inside = {" "}(inside of a call in this line)
called-from = , called from { $path }:{ $line }
launched = { $is_first ->
    [true] ({ $number }) `{ $kernel }` at { $at }
   *[false] , `{ $kernel }` at { $at }
} by { $who }
and-so-on = , and so on, { $depth } deep
first-in-run = { $deed }, before (2) in this run
# The other access wrote the value that this one reads.
in-time = {" "}(this time, the value that (1) wrote)
# The same thread did the same before, in another iteration.
again = {" "}again, in a later iteration
label-launched = launched
label-where = where
label-why = why
label-luck = runs
label-idea = idea
label-fix = fix
label-fix-tried = fix (tried, { $is_answer_known ->
    [true] right in { $runs } of { $runs } runs
   *[false] no finding in { $runs ->
        [one] 1 run
       *[other] { $runs } runs
    }; the right answer is not known
})
change-also = {""} and before line { $line }{ $tells_was ->
    [true] {" "}`{ $was }`
   *[false] {""}
}
change = { $kind ->
    [new] add `{ $code }` before line { $line }{ $tells_was ->
        [true] {" "}`{ $was }`
       *[false] {""}
    }{ $also }
    [removed] delete line { $line } `{ $code }`
   *[changed] change line { $line } { $tells_was ->
        [true] `{ $was }` to `{ $code }`
       *[false] to `{ $code }`
    }
}{ $has_more ->
    [true] {" "}and
   *[false] {""}
}
fix-with-first = the fix above that was tried also fixes this one
fix-with-next = the fix of a finding below also fixes this one
label-avoid = to avoid it
label-replay = replay
# A smaller run shows the same finding, with other values and threads.
label-see = { $is_smaller ->
    [true] see a smaller run
   *[false] see this run
}
label-smallest = smallest
label-more = more
