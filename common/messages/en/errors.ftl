### Errors, and what a lesson leaves out.

no-device = no device to run on
device-does-not-start = { $name } does not start
ptx-refused = the device does not accept the PTX of { $path }
no-device-runtime = on a GPU, kernels that launch kernels need NVIDIA's device runtime, and there is no { $library } here. It comes with every CUDA toolkit: name one by CUDA_HOME, or fetch one by `cargo toolkit install`
cannot-read = cannot read { $path }
replay-on-emulator = a replay runs on the emulator
needs-capability = { $row } needs a device of compute capability { $major }.0
needs-one-capability = { $row } needs a device of compute capability { $major }.{ $minor }: it has instructions that no other has, earlier or later
tensor-map-refused = the driver does not make this tensor map: { $code }
tensor-map-too-large = the matrix of a tensor map has { $elements } elements with its padding, and the buffer holds { $held }
unsupported = the { $device } does not support it
in-trial = in the trial of `{ $kernel }`
while-counting = while counting `{ $kernel }`
while-timing = while timing `{ $kernel }`
nothing-was-run = nothing was run
not-all-as-expected = { $unexpected } of { $count } { $count ->
    [one] kernel
   *[other] kernels
} did not do what the lesson says
too-many = { $n } elements are too many: the kernel counts up to { $most }
sum-too-large = the sum of { $n } elements does not fit in an int
too-small = `{ $kernel }` needs at least { $least } { $least ->
    [one] element
   *[other] elements
}, and this run has { $size }
too-small-for-bug = the bug of `{ $kernel }` needs at least { $least } { $least ->
    [one] element
   *[other] elements
} to show, and this run has { $size }
skipped = skipped: { $why }
progress = { $kernel } [{ $bar }] { $done } of { $total } runs
progress-executions = { $kernel }: { $done } executions so far; Ctrl-C ends the search

input-unreadable = --input { $path } cannot be read
input-empty = --input { $path } is empty: there is nothing to work on
input-bytes = { $count } { $count ->
    [one] byte
   *[other] bytes
}
input-image = an image, { $width } x { $height } grey values
input-broken-image = { $count } bytes (it starts like an image, but does not decode: { $why })
nothing-to-plot = there is nothing to plot: no kernel of the figure was run
figure-unwritable = cannot write the figure to { $path }
figure-is-in = The figure is in { $path }.

nothing-to-trace = there is nothing to trace: no kernel was run
while-tracing = while tracing `{ $kernel }`
page-unwritable = cannot write the page to { $path }
page-is-in = The page of the run { $run } is { $path }. Open it in a browser.
page-run = One run: schedule `{ $schedule }`, size { $size }.
trace-unwritable = cannot write the trace to { $path }
trace-is-in = The trace of the run { $run } is in { $path }: { $kept } events.{ $is_cut ->
    [true] {" "}The run has { $left_out } more.
   *[false] {""}
}

argument-count = `{ $kernel }` takes { $takes } { $takes ->
    [one] argument
   *[other] arguments
} and was given { $given }; its parameters are ({ $types })
argument-size = argument { $number } of `{ $kernel }` has { $bytes } { $bytes ->
    [one] byte
   *[other] bytes
} (`{ $ty }`), but the kernel declares { $declared } { $declared ->
    [one] byte
   *[other] bytes
} (`.{ $declared_ty }`){ $advice }
advice-int = ; an `int` is `as i32` in Rust, an `unsigned` is `as u32`
advice-float = ; a `float` is `f32` in Rust
advice-long = ; a `size_t` is `usize` in Rust, a `long long` is `i64`
advice-double = ; a `double` is `f64` in Rust
launch-refused = the driver refused the launch: { $code }
not-launched = `{ $kernel }` was not launched
