### What is said of an answer. `line-*` follow `unsolved`, which begins the last part of a verdict.

solved = solved: { $line }
unsolved = not solved yet: { $line }
error = error: { $why }
note = note: { $why }
idea = idea: { $idea }
and = and
line-no-text = { $shown } is not a text file (compile)
line-does-not-compile = { $shown } does not compile
line-does-not-compile-kind = { $shown } does not compile ({ $kind })
include-missing = { $kind ->
    [own] note: kernels have a `{ $header }` of their own: write `#include <cuda/std/{ $own }>`
    [needless] note: `{ $header }` is not needed: a kernel knows `printf`, `assert`, `malloc` and the mathematical functions without it{ $line ->
        [0] {""}
       *[other] ; remove line { $line }
    }
    [file] note: there is no file `{ $header }` here. An answer is one file: put what you need of the other one into it{ $line ->
        [0] {""}
       *[other] , and remove line { $line }
    }
   *[host] note: `{ $header }` is for programs of the host, and kernels cannot use it{ $line ->
        [0] {""}
       *[other] ; remove line { $line }
    }
}
line-ptx-not-loaded = { $shown }: its PTX cannot be loaded: { $why }

## Right

replay-passed = this run of { $shown } shows nothing wrong: { $replay }
right-every-time = Your kernel ran { $runs } times on the emulated GPU. It was right every time, with no findings.
all-tried = Tried: { $tried }.
tried = { $inputs } inputs, each under { $schedules } schedules
tried-special = , and { $count } special inputs (equal values, one sign, zeros, extremes), each under { $schedules }
tried-edges = , { $count } edges of the sizes (small ones, beside a warp, a block, a round), each under { $is_more ->
    [true] at least { $schedules }
   *[other] { $schedules }
}
tried-spread = , { $count } sizes in between, in order
tried-counted = , and two runs to count its work

## Wrong

printed = printed by the kernel:
printed-more = ... and { $count } more { $count ->
    [one] line
   *[other] lines
}
run-shown = { $is_found ->
    [true] This is the smallest failing run found on the emulated GPU: { $run }.
   *[false] This is the run that you asked for, on the emulated GPU: { $run }.
}
another-run-shows = Another run shows { $kind }: { $replay }
run-not-the-same = the same run gave another result the second time
more-findings = { $count ->
    [one] { $count } more finding is not shown: { more-by }
   *[other] { $count } more findings are not shown: { more-by }
}
more-lines = { $count ->
    [one] { $count } more line: { more-by }
   *[other] { $count } more lines: { more-by }
}
more-by = { $by ->
    [key] press v and Enter
    [button] “Show everything” shows more
   *[option] add --verbose
}
replay = replay: { $command }
more-about-answers = more: cargo learn explain wrong-result
luck-zeros = all elements are 0 in this run, so its result can hardly be wrong
luck-right = the result of this run was right anyway
error-fault = error: the kernel was stopped: { $fault }
fault = { $name ->
    [illegal-address] it accessed memory that is not its own
    [misaligned-address] it accessed a misaligned address
    [illegal-instruction] it used an instruction in a way that no GPU carries out
    [assert] an `assert` failed
    [launch-failed] it reached a `__trap()`, or called a function that is not there
    [timeout] it did not end
    [stack-overflow] its calls need more local memory than there is
   *[other] { $name }
}
error-assert = error: an assertion does not hold: `{ $condition }`
error-trap = error: { $is_called ->
    [true] `__trap()`
   *[false] a `trap`
} stopped the kernel
ended-thread = block { $block }, thread { $thread }
error-input-changed = error: the kernel changed its input `{ $buffer }`
error-lock-ignored = error: { $is_lock ->
    [true] a lock in `{ $lock }` was taken before the launch, and a thread released it that never had it. A thread went on without the lock
   *[false] every lock in `{ $lock }` was taken before the launch and never released, and `{ $changed }` was written all the same. A thread went on without the lock
}
error-wrong-result = error: wrong result: { $why }
not-accepted = the check rejects it
wrong-element = `{ $name }[{ $first }]`: got { $got }, expected { $want }
from-element = from element { $from }
wrong-elements = { $count ->
    [one] 1 of { $length } elements of `{ $name }` is wrong,
   *[other] { $count } of { $length } elements of `{ $name }` are wrong, first
} `{ $name }[{ $first }]`: got { $got }, expected { $want }
wrong-elements-in-any-order = { $count ->
    [one] 1 of { $length } elements of `{ $name }` is wrong, in any order
   *[other] { $count } of { $length } elements of `{ $name }` are wrong, in any order
}
expected = expected: { $list }
got = got: { $list }
missing = missing: { $list }
too-much = too much: { $list }
compiler-warns = the compiler warns:
host-function = note: { $name ->
    [main] an answer needs no `main`, since the judge launches the kernel. Remove it
   *[other] `{ $name }` is a function of the host, and a kernel cannot call it. Write `__device__` before it
}
call-refused = { $call } returned { $code }, and your program went on
limit-time = no verdict within { $seconds } s. Is there an endless loop?
limit-compiler = the compiler did not finish within { $seconds } s. It may be stuck: undo your last change, or try again
limit-memory = the compiler or the emulator stopped{ $how }. Too much memory?
cut-off = (cut off here)
refused = refused: { $what }
left-out = ... { $left ->
    [one] { $left } more byte is left out
   *[other] { $left } more bytes are left out
}

## Work and budget

error-idle = error: { $most ->
    [one] { $most } thread of the device wrote results
   *[other] { $most } threads of the device wrote results
}, at least { $wanted } should: share the work among the threads
error-busiest = error: one thread executed { $count } instructions, at most { $most } are allowed: share the work among the threads, or do it in fewer steps
error-accesses = error: one thread accessed { $count } elements of memory, at most { $most } are allowed: share the work among the threads
error-budget = error: { $what }: { $value }, { $allowed }
counter-load-requests = global load requests
counter-load-sectors = 32-byte sectors of global loads
at-most = at most { $limit } allowed
at-least = at least { $limit } needed
budget-share = { $share } of them here
budget-counted = The results are right. { $has_sizes ->
    [true] This was counted in one run in order, at { $sizes }.
   *[false] This was counted in one run in order.
}
budget-kept = Within the budget: { $sums }.

## Predict and break

line-open = { $shown }: write your answer after `// { $line }:` (todo)
line-answers = { $shown }: { $count } lines begin with `// ANSWER:`, there should be { $wanted } (todo)
answer-right = right
answer-wrong = WRONG
predicted-wrong = The emulated GPU ran the kernel and got other results.
predicted-right = The emulated GPU ran the kernel and got the same results.
run-found = You found the run: { $order } shows it ({ $shows }).
line-shows-nothing = { $shown }: under { $order } the emulated GPU shows nothing wrong. Find a run that shows `{ $shows }` (answer)
line-shows-other = { $shown }: under { $order } the emulated GPU shows { $saw } only. Find a run that shows `{ $shows }` (answer)
schedule-unknown-near = there is no schedule `{ $name }`; did you mean `{ $near }`?
schedule-without-seed = `{ $text }` needs a seed, as in `{ $schedule } 3`; the schedules are { $names }
schedule-seed = the seed `{ $seed }` is not a number
size-unreadable = write `{ $text }` like n = 40
size-unknown = there is no size `{ $name }`
size-not-of-exercise = { $name } = { $value } is not one of the exercise's sizes, { $low } to { $high }

## Count

count-unknown-kernel = no launch has the kernel `{ $kernel }`
count-not-explored = not all executions of `{ $kernel }` can be visited
counted-right = The emulated GPU visited every execution of the kernel and got the same numbers.
count-no-number = `{ $given }` is not a number.
count-interleavings = { $given } is the number of interleavings. Two interleavings are one execution if each read gets its value from the same write, and the writes have the same order.
count-results = { $given } is the number of different results. Two executions can give the same result.
count-differs = { $is_too_many ->
    [true] { $given } is too many: the memory model forbids some of them, or you counted one twice.
   *[false] { $given } is too few: for each read, list the writes that it can read from.
}
count-race-is-wrong = { $given } of the executions have a wrong result. An execution with a data race is wrong, too, whatever its result is.
count-wrong-differs = { $is_too_many ->
    [true] { $given } is too many: an execution is right if it has no data race and its result is right.
   *[false] { $given } is too few: an execution is wrong if it has a data race, does not end, or has a wrong result.
}
count-list = `{ $kernel }` has { $count ->
    [one] { $count } execution
   *[other] { $count } executions
}, { $wrong } wrong. What each thread reads:
execution-endless = error: threads wait for ever
execution-read = { $has_right ->
    [true] { $reader } reads { $read }; in a right execution, { $right }
   *[false] { $reader } reads { $read }
}
execution-of-all = note: the memory model allows this execution, though a schedule may never show it
execution-again = help: to see it again: `{ $command }`
execution-shown = This is one of the executions at { $sizes }: cargo learn explain executions
count-list-more = and { $count } more
count-order = writes of { $element } in order: { $writers }
count-read = { $element } = { $value } from { $writer }
count-read-initial = { $element } = { $value } (initial)
count-why = { $why ->
    [race] data race
    [endless] does not end
    [access] access that is not allowed
   *[result] wrong result
}
count-block = block { $block }
count-thread = thread { $thread }
count-thread-of-block = thread { $thread } of block { $block }

## Replay tokens

token-unreadable = a replay token is sizes/seed/schedule, as in n=33/7/random:3; this is `{ $text }`
token-size-unreadable = write `{ $text }` like n=33
token-size-outside = { $name } is { $value }; the exercise takes { $low } to { $high }
token-size-missing = the size `{ $name }` is missing
token-seed = the inputs' seed `{ $seed }` is not a number

## Launches

emulator-error = error in the emulator: { $text }. Please report it
no-memory-left = the device has no memory left
kernel-missing = there is no kernel `{ $kernel }` in the file{ $count ->
    [0] {""}
   *[other] , but { $others }
}. Keep the name `{ $kernel }`, and its `extern "C" __global__`
kernel-mangled = `{ $kernel }` has lost its `extern "C"`: write `extern "C" __global__ void { $kernel }(...)`
parameters-differ = `{ $kernel }` has { $has } parameters, but the exercise passes { $given }
parameter-differs = parameter { $number } of `{ $kernel }` { $why }
takes-not-float = takes { $size } bytes, but the exercise passes a float
takes-not-pointer = takes { $size } bytes, but the exercise passes a pointer
takes-not-type = takes { $size } bytes, but the exercise passes a { $ty } of { $bytes }
takes-not-number = takes { $size } bytes, but the exercise passes a number
takes-too-small-number = takes { $size } { $size ->
    [one] byte
   *[other] bytes
}, but the exercise passes { $value }
not-understood = the emulated GPU does not understand `{ $kernel }`, PTX line { $line }: { $what }
unsupported = the emulated GPU does not support `{ $what }` in `{ $kernel }`
launch-refused = the launch is refused: { $why }

## Programs of the host

program-ran = Your program ran on the emulated GPU, with the arguments `{ $args }`.
program-right = { $runs ->
    [one] Your program ran on the emulated GPU: it was right, with no findings.
   *[other] Your program ran { $runs } times on the emulated GPU. It was right every time, with no findings.
}
compiler-stopped = error: the compiler was stopped after { $seconds } s
compiler-gave-up = error: the compiler stopped ({ $status })
printed-too-much = error: the program printed more than { $bytes } bytes
program-stopped = error: the program was stopped after { $seconds } s
program-ended = error: the program ended with { $status }
program-printed = error: the program printed
program-should-print = it should print
nothing = nothing
kernel-never-ran = error: the kernel `{ $kernel }` never ran
kernels-in-one-stream = error: the kernels `{ $one }` and `{ $other }` ran in the same stream, and should run in two
host-not-buildable = programs of the host cannot be built here
no-text = it is not a text file
status-code = exit status { $code }
status-signal = signal { $signal }
