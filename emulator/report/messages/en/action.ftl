### What was done at one end of a finding: what stands after `(1)`. $who: "thread 3" or "threads 0 to 15"; $count: how many.

## Accesses of memory

reads = reads { $what }
reads-it = reads it
writes = writes { $what }
writes-it = writes it
updates = { $operation ->
    [add] atomically adds
    [and] does an atomic `and` with
    [or] does an atomic `or` with
    [xor] does an atomic `xor` with
    [exchange] does an atomic exchange with
    [compare] does an atomic compare-and-swap that expects
    [increment] does an atomic increment with limit
    [decrement] does an atomic decrement with limit
    [min] does an atomic `min` with
   *[max] does an atomic `max` with
} { $operand }
updates-it = updates it atomically
updates-to = updates it atomically to { $value }
starts-copy-from = starts an asynchronous copy from it
starts-copy-to = starts an asynchronous copy to it
starts-product-from = starts a `wgmma` that reads it
starts-product = starts a `wgmma`
reads-register = reads one of its registers
writes-register = writes one of its registers
initializes-it = initializes it
initializes-again = initializes it again
overwrites-it = overwrites it
invalidates-it = invalidates it
tests-its-phase = tests its phase
arrives-at-it = arrives at it
uses-it = uses it
in-earlier-launch = { $action } in `{ $kernel }`, an earlier launch
in-kernel = { $action } in `{ $kernel }`
host-does = { $operation } { $does ->
    [writes] writes it
    [allocates] begins the memory's life
    [frees] ends the memory's life
   *[reads] reads it
}
host-reads = the host reads { $bytes } bytes, beginning at byte { $from }
frees-again = frees it a second time
frees-it = frees it
accesses = { $kind ->
    [load] reads
    [store] writes
    [update] updates
    [copy] copies
   *[any] accesses
} { $bytes ->
    [one] 1 byte
   *[other] { $bytes } bytes
}

one = { $kind ->
    [load] a read
    [store] a write
    [atomic] an atomic operation
    [copy] an asynchronous copy
    [object] a use of a barrier object
    [matrix] a `wgmma`
   *[any] an access
}
two = { $kind ->
    [load] two reads
    [store] two writes
    [atomic] two atomic operations
    [copy] two asynchronous copies
    [object] two uses of a barrier object
    [matrix] two `wgmma`
   *[any] two accesses
}
host-operation = { $operation ->
    [to-host] a copy to the host
    [from-host] a copy from the host
    [from-pageable] a `cudaMemcpy()` from pageable host memory
    [on-device] a device-to-device copy
    [allocate] the allocation by `cudaMallocAsync()`
    [free] the free by `cudaFreeAsync()`
    [condition] the conditional node of a graph
    [read] a read by the host
    [write] a write by the host
   *[fill] a fill
}

## Uninitialized values

decides = uses it for { $what }
decision = { $what ->
    [branch] a branch
    [condition] a condition
    [call] a call
    [address] an address
    [atomic] an atomic operation
    [mask] a member mask
    [vote] a vote at a barrier
    [number] the number of a barrier
    [count] the count of a barrier
    [phase] the phase of a barrier
    [stack] the size of a stack
   *[copy] the size of a copy
}
gets-active-mask = gets mask { $mask } from `__activemask()`: { $lanes } { $count ->
    [one] runs
   *[other] run
} here now
gets-its-mask = gets its mask from `__activemask()`
takes-no-thread = takes the value of lane { $lane }, where there is no thread
takes-ended = takes the value of lane { $lane }, which ended without this call
takes-not-named = takes the value of lane { $lane }, not in mask { $mask }
writes-result = writes the result

## Barriers and waiting

reaches = { $who } { $count ->
    [one] reaches
   *[other] reach
} { $what }
grid-barrier = the barrier of the grid
barrier-number = { $number ->
    [0] the block's barrier
   *[other] barrier { $number }
}
a-barrier = a barrier
goes-around = { $who } { $count ->
    [one] takes
   *[other] take
} another path here, without the barrier
leaves-kernel = { $who } { $count ->
    [one] leaves
   *[other] leave
} the kernel here
warp-reaches = warp { $warp } reaches it here
gives-count = { $who } { $count ->
    [one] gives
   *[other] give
} a count of { $given }
misuses = { $who } { $what ->
    [whole-block] { $count ->
        [one] waits
       *[other] wait
    } for the whole block
    [arrived-first] { $count ->
        [one] arrives
       *[other] arrive
    } first
    [arrived-again] { $count ->
        [one] arrives
       *[other] arrive
    } again
    [waited-unarrived] { $count ->
        [one] waits
       *[other] wait
    } without having arrived
    [came-first] { $count ->
        [one] comes
       *[other] come
    } first
   *[another-operation] { $count ->
        [one] comes
       *[other] come
    } with another operation
}
arrives-too-often = { $who } { $count ->
    [one] arrives
   *[other] arrive
} { $come } times, but { $pending ->
    [one] one arrival is
   *[other] { $pending } arrivals are
} pending
copies-bytes = { $who } { $count ->
    [one] starts
   *[other] start
} a bulk copy of { $bytes } bytes
misuses-object = { $who } { $what ->
    [other-block] { $count ->
        [one] starts
       *[other] start
    } the copy
    [no-object] { $count ->
        [one] uses
       *[other] use
    } it
    [completes] { $count ->
        [one] arrives
       *[other] arrive
    } with `.noComplete`
   *[transactions] { $count ->
        [one] changes
       *[other] change
    } its number of transactions
}
calls-with-mask = { $who } { $count ->
    [one] calls
   *[other] call
} `{ $function }` with mask { $mask }
in-block = block { $block }, { $who }
waits-at = { $who } { $count ->
    [one] waits
   *[other] wait
} at { $what }
waits-until = { $who } { $count ->
    [one] waits
   *[other] wait
} at { $what }: { $come } of { $expected } threads are there
waits-at-mask = { $who } { $count ->
    [one] waits
   *[other] wait
} at `{ $function }` with mask { $mask }
loops-here = { $who } { $count ->
    [one] repeats
   *[other] repeat
} this loop
reads-again-and-again = { $who } { $count ->
    [one] reads
   *[other] read
} here again and again: { $what }
set-before = { $deed }; it set { $name } in line { $line }
waits-for = { $does }{ $is_counted ->
    [true] , for those at { $places }
   *[false] { " " }for { $places }
}
memory-there = memory
finds-value = { $place } is { $value }
finds-missing = { $count ->
    [one] one arrival is missing at { $place }
   *[other] { $count } arrivals are missing at { $place }
}
finds-bytes-missing = { $count ->
    [0] no arrival is missing at { $place }, but it still expects { $size } bytes
    [one] one arrival is missing at { $place }, and { $size } bytes
   *[other] { $count } arrivals are missing at { $place }, and { $size } bytes
}
finds-surplus = { $count ->
    [0] no arrival is missing at { $place }, but { $size } more bytes have come than it expects
    [one] one arrival is missing at { $place }, and { $size } more bytes have come than it expects
   *[other] { $count } arrivals are missing at { $place }, and { $size } more bytes have come than it expects
}
sets = sets { $name } to { $value }
sets-it = sets it to { $value }
and-ended = , and has ended
and-stands-at = , and is at ({ $number }) now
of-block = of block { $block }{" "}
writes-last = is the last that wrote what the others read

## Calls and launches

takes-entry = takes entry { $entry }
calls-it = calls it
calls-deep = makes call { $depth } of a chain
allocates-on-stack = allocates on its stack
launches-and-fails = launches { $kernel }: { $error }
launches-with-pointer = launches `{ $kernel }` with a pointer to { $space } memory

## Hints

active-mask-gave = gets { $mask } from `__activemask()`: { $named } of the { $live } lanes that are still running
shuffle-gives-back = { $lanes } { $count ->
    [one] gets its own value: the lane that it reads does not exist
   *[other] get their own values: the lanes that they read do not exist
}
lanes = { $count ->
    [one] lane { $list }
   *[other] lanes { $list }
}
fails-to-swap = finds another value than it expects, and changes nothing{ $more ->
    [0] {""}
    [one] {", as"} does one more
   *[other] {", as"} do { $more } more
}

## Threads, values and lists

thread-of-warp = { $names_block ->
    [true] block { $block }, thread { $thread }
   *[false] thread { $thread }
} ({ $names_lane ->
    [true] warp { $warp }, lane { $lane }
   *[false] warp { $warp }
})
threads = { $count ->
    [one] thread { $list }
   *[other] threads { $list }
}
blocks = { $count ->
    [one] block { $list }
   *[other] blocks { $list }
}
run-of-threads = { $first } to { $last }
and-more = { $list } and { $count ->
    [one] 1 other
   *[other] { $count } others
}
stale = { $value }, an older value
unwritten = { $value } (never written)
as-float = { $bits } (as a float { $value })
as-double = { $bits } (as a double { $value })
and = { $first } and { $last }
or = { $first } or { $last }
