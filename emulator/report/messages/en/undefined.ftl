### Uninitialized values.

loaded-unwritten = { $by_host ->
    [true] the host copies a value computed from { $place }, which nothing has written
   *[false] { $what } depends on { $place }, which nothing has written
}
    .why = Nothing had written { $place } when (1) read it.{ $has_gone ->
        [true] {" "}Of the block, { $who } left in line { $end }, before the barrier in line { $barrier }.
       *[false] {""}
    }
    .fix = { $has_gone ->
        [true] the threads that return in line { $end } must write it first, and reach line { $barrier }
       *[false] write it before (1) reads it, or read only what was written. If another thread writes it, a barrier must come between
    }
used-unwritten = { $what } depends on { $has_writers ->
    [true] { $named ->
        [true] `{ $name }`, which this thread did not write: only line { $writers } writes it, on a path that this thread did not take
       *[false] a variable that this thread did not write: line { $writers } writes it, on another path
    }
   *[false] a value that nothing has written
}
    .why = { $has_writers ->
        [true] The value is a variable that line { $writers } writes. This thread took another path.
       *[false] The value comes from memory or a variable that nothing has written.
    }
    .fix = write the value before this line, on every path that leads here{ $has_writers ->
        [true] . Or hand the value of line { $writers } to the other lanes by a shuffle
       *[false] {""}
    }
copied-unwritten = the host copies { $known ->
    [true] { $place }, which nothing has written
   *[false] a value that nothing has written
}
    .why = { $has_kernel ->
        [true] Neither `{ $kernel }`, the last kernel before the copy, nor anything else has written it.
       *[false] No kernel and no copy has written it.
    }
    .fix = { $has_beside ->
        [true] { $at_a_time ->
            [0] let a thread write { $place } too, in line { $line } or in a line of its own. Or copy only what was written
           *[other] line { $line } writes { $at_a_time } elements at a time, and fewer are left at the end. Let one thread write the rest: { $place }
        }
       *[false] let the kernel write every element that the host reads, or copy only what was written
    }
missed-here = with this line as it is, no thread writes { $place }
written-beside = writes { $beside }, and never { $place }
elements = { $count ->
    [one] `{ $name }[{ $first }]`
   *[other] `{ $name }[{ $first }]` to `{ $name }[{ $last }]`
}
bytes-of = { $count ->
    [one] byte { $first }
   *[other] bytes { $first } to { $last }
} of { $buffer }
lane-absent = a shuffle reads lane { $lane }, { absent-how }; { $what } depends on it
    .why = { absent-why }
    .fix = { absent-fix }
absent-lane-copied = a shuffle reads lane { $lane }, { absent-how }; the host copies the result
    .why = { absent-why }
    .fix = { absent-fix }
absent-how = { $absent ->
    [no-thread] where there is no thread
    [ended] which has ended
   *[not-named] which the mask leaves out
}
absent-why = { $absent ->
    [no-thread] The block has { $threads } threads. Its last warp ends with lane { $last }, so lane { $lane } gives no value.
    [ended] Lane { $lane } ended before the shuffle and gave it no value.
   *[not-named] Lane { $lane } takes no part in a shuffle with mask { $mask }, so the value read there is undefined.
}{ $away ->
    [parted] {" "}Lanes { $taker } and { $lane } took different paths in line { $away_line }.
    [ended] {" "}Lane { $lane } ended in line { $away_line }.
   *[unknown] {""}
}{ $comes ->
    [true] {" "}Lane { $lane } reaches this line too, with another mask or in another iteration.
   *[false] {""}
}{ $asked ->
    [true] {" "}`__activemask()` names the lanes that happen to run together, which can be fewer than take part.
   *[false] {""}
}
absent-fix = { $asked ->
    [true] name the lanes that take part: 0xffffffff where all reach this line, else a mask by `__ballot_sync()` made before the branch
   *[false] { $absent ->
        [no-thread] read only lanes that have a thread, here 0 to { $last }, or launch whole warps
        [ended] let every lane make the call before it ends, with a neutral value (0 for a sum) if it has no element
       *[not-named] { $comes ->
            [true] give all lanes that exchange values one mask that names them all, 0xffffffff for a whole warp
           *[false] read only lanes that the mask names. Or let all 32 lanes make the call, with mask 0xffffffff
        }
    }
}
