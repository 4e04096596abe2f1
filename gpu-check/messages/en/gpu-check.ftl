internal = error inside gpu-check, in { $name }. Please report it
fat-binary = the program's device code cannot be read: { $why }
ptx-for-newer = note: the program's device code is for compute capability { $want } and newer; it runs here on an emulated GPU of { $have }
no-ptx = the program has machine code and no PTX, so the emulated GPU cannot run its kernels. Compile with -arch=sm_90, or with -gencode and code=compute_90
not-loaded = the device code does not load: { $why }
unsupported-function = the emulated GPU has no { $name }: the call fails
lto = code for link-time optimisation that was not compiled here cannot run on the emulated GPU, which runs PTX
older-runtime = { $file } has the CUDA runtime of a version before 12 inside, which is not replaced. Compile with CUDA 12 or 13
stripped = { $file } has device code, and no CUDA runtime was found in it: there is no symbol table to find it by. Link it without -s, or with -cudart shared

about = Runs a CUDA program on the emulated GPU and checks every launch: races, bounds, barriers, values that were never written
exit-status =
    Exit status: 99 (or what --error-exitcode says) if something was found, or a run did not end in time. 98 if not everything was checked. Then a launch or a call was
    refused, a launch reached the limit of instructions, or the program ended with 0 and launched nothing. 97 if the program could not be compiled or started. Else the program's own.
option-schedules = Which thread goes next: in-order, reverse, random, pct, adversarial, or several of them [default: in-order, and short launches again under adversarial and reverse]
option-seeds = How many runs of each schedule that takes a seed. Each is a process of its own [default: 1]
option-fast = Look only for accesses out of bounds: much faster
option-exhaust = Explore all executions of each launch of up to 1,024 threads that the memory model allows, for so many seconds each [default: 10]
option-kernel-name = Check only kernels with this in their name. The others run, and are looked at for accesses out of bounds alone
option-launch-count = Check only so many launches. Those after them run, and are looked at for accesses out of bounds alone
option-leak-check = With full, name memory that is never freed [default: no]
option-error-exitcode = The exit status if something was found [default: { $found }]
option-limit = Stop each run of the program after so many seconds [default: no limit]
option-limit-instructions = End each launch after so many thread instructions. Then the exit status is 98, unless something was found [default: no limit]
option-log-file = Write the report to this file, and not to stderr
option-format = text, json or sarif [default: text]
option-nvcc-flags = More flags for nvcc, if PROGRAM is a .cu file
option-no-try = Do not try fixes
option-lang = Language: en or es [default: $LESSON_LANG, or the locale]
option-help = Print this help
option-program = A .cu file, which is compiled first, or any program and its arguments. `gpu-check toolkit install` fetches the compiler
not-seconds = a number of seconds is expected, more than 0
no-language = there is no language { $code }: en or es
no-program = no program was named
no-source = there is no file { $file }
no-folder = no temporary folder can be made
no-start = { $program } cannot be started
no-library = { $file } is missing. It lies beside gpu-check, or where that was built. `cargo build -p gpu-check` builds it in the repository, and { $variable } names it elsewhere
not-compiled = { $compiler } does not compile { $file }
bad-variable = { $name } is "{ $value }", which is no value for it. It is ignored
no-records = { $file } cannot be read
not-written = { $file } cannot be written
no-lines = compile with -lineinfo, and reports name lines of the source
stood-in = in place of machine code { $tools } gave PTX, which a real driver takes too
in-runs = in { $count } of { $all } runs
late = { $all ->
    [one] the run did not end in time
   *[other] { $count ->
        [one] one of { $all } runs did not end in time
       *[other] { $count } of { $all } runs did not end in time
    }
}
differing = { $count ->
    [one] the output of one of { $all } runs differs from the others
   *[other] the output of { $count } of { $all } runs differs from the others
}
progress = gpu-check: `{ $kernel }` has been running for { $seconds } s: { $done } of { $blocks } { $blocks ->
    [one] block
   *[other] blocks
} done, { $millions } million thread instructions so far
blocked = gpu-check: the host has waited for { $seconds } s for a stream that waits for a value, as by `cuStreamWaitValue32()`. No queued work is left that could write it
stopped = error: `{ $kernel }` { $why ->
    [assert] failed an assertion (printed above)
    [trap] ended with a trap
    [stack] used up its stack
   *[other] did not end as a kernel ends
}. The error stays: every later call returns it
failed = { $count ->
    [one] one call failed: { $calls }
   *[other] { $count } calls failed: { $calls }
}
signal = the program was ended by signal { $signal }{ $signal ->
    [11] { $refused ->
        [true] {""}
       *[false] { " " }(an address that is not its own: is a device pointer used on the host?)
    }
    [6] { " " }(abort)
   *[other] {""}
}
limited = --limit-instructions ended `{ $kernel }`, which is no bug
not-all-checked = not everything was checked: { $what }{ $more ->
    [0] {""}
   *[other] ; and { $more } more
}
refused-launch = the emulated GPU refused a launch of `{ $kernel }`, in { $program }
refused-call = the emulated GPU refused { $call } ({ $error }), in { $program }
exhausted-head = gpu-check: all executions that the memory model allows (--exhaust):
exhausted-row = { $launch }: { $verdict }{ $count ->
    [one] {""}
   *[other] {" "}({ $count } launches)
}
exhausted-right = { $executions ->
    [one] its one execution: no data race
   *[other] all { $executions } executions: no data race
}{ $results }
exhausted-wrong = { $executions ->
    [one] its one execution is
   *[other] { $wrong } of { $executions } executions { $wrong ->
        [one] is
       *[other] are
    }
} wrong ({ $why }){ $results }
exhausted-bounded = { $executions ->
    [one] 1 execution of an unknown number
   *[other] { $executions } executions of an unknown number
}, no data race so far{ $results }
exhausted-bounded-wrong = { $executions ->
    [one] 1 execution of an unknown number
   *[other] { $executions } executions of an unknown number
}, { $wrong } wrong ({ $why }){ $results }
exhausted-results = { $count ->
    [0] {""}
    [one] , one result{ $complete ->
        [true] {""}
       *[false] {" "}so far
    }
   *[other] , { $count } different results{ $complete ->
        [true] {""}
       *[false] {" "}so far
    }
}
exhausted-undecided = ; { $count } with a race of a load whose value may be unused
exhausted-racing = { $count } with a data race
exhausted-endless = { $count } without an end
exhausted-trapped = { $count } with a trap or a failed assertion
exhausted-misplaced = { $count } with an access or a barrier that is not allowed
exhausted-endless-all = no execution ends
exhausted-none = the time ended before one execution was complete
exhausted-race = data race: { $first } and { $second }
exhausted-race-same = data race: { $access }, made by two threads
exhausted-simplest = the simplest wrong execution:
exhausted-line = the { $access ->
    [read] read
    [write] write
   *[atomic] atomic operation
} in { $place }
exhausted-refused = not explored: { $why ->
    [mixed-sizes] threads access the same bytes with different sizes
    [wide] threads share memory by accesses of 16 bytes
    [asynchronous-copy] it copies asynchronously
    [barrier-object] it uses a barrier object
    [image] it reads a texture or a surface
    [device-runtime] it launches kernels, uses the heap, or is launched cooperatively
    [cluster-barrier] it uses the barrier of a cluster
    [warpgroup] it uses instructions of a warpgroup (`wgmma`)
    [threads] it has more than 1,024 threads
    [instructions] it runs more than a million thread instructions
    [events] its threads share memory by more than 16,384 accesses and barriers
    [memory] the program has more than 1 MiB of memory on the GPU, or live blocks of the heap
    [host] it may wait for the host
    [repeated] the same launch was explored three times
    [time] the time for all launches is over
    [after-refusal] something was refused before
   *[launch] the launch is refused
}
all-refused = no launch was checked
unchecked = { $count ->
    [one] one launch was left out
   *[other] { $count } launches were left out
}: only accesses out of bounds were looked for
unended = `{ $kernel }` did not end: { $number ->
    [one] it was the first launch
   *[other] it was launch { $number } of the program
}
nothing-begun = no launch was checked: none had begun
nothing-ended = no launch was checked to its end: { $count ->
    [one] one had begun
   *[other] { $count } had begun
}
nothing-checked = no launch was checked: the program launched no kernel
checked = { $launches ->
    [one] one launch was checked
   *[other] { $launches } launches of { $kernels ->
        [one] one kernel
       *[other] { $kernels } kernels
    } were checked
}{ $runs ->
    [one] {""}
   *[other] , in { $runs } runs
}{ $schedules }{ $result }, in { $seconds } s
checked-under = , { $again } of them under { $schedules } schedules
checked-under-all = {" "}under { $schedules } schedules
checked-result = { $errors ->
    [0] : { $differs ->
        [0] nothing found
       *[other] the output differs between schedules
    }
    [one] : one error
   *[other] : { $errors } errors
}
checked-differs = {" "}and the output differs between schedules
