### Tables: --list, and what the kernels did.

head-row = row
head-kernel = kernel
head-variant = variant
head-expected = expected
head-wrong = { $on_gpu ->
    [true] wrong launches
   *[false] wrong runs
}
head-time = time
head-of-copy = of copy
head-of-peer = vs CUB
head-found = found
head-as-expected = as expected

expected-refused = refused by nvcc
expected-correct = correct, no findings
right = correct
out-of = { $wrong } of { $runs }
kernels-of-row = { $count } kernels of { $row }
refused = refused
refused-at = refused at { $line }
as-note = { $text } (note)
and-more = { $first }, and { $count } more

yes = yes
no = NO
fixed = fixed
partly-fixed = partly fixed
changed = changed

is-fixed = { $count ->
    [one] Fixed: { $kernels } was right in every run, without findings. The lesson expects its bug, so the exit status is 1.
   *[other] Fixed: { $kernels } were right in every run, without findings. The lesson expects their bugs, so the exit status is 1.
}
not-as-expected = { $kernel } did not do what the lesson says: { $why }
edited-in-vain = edited, but no finding is fixed: { $kernel } came with { $came_with } and has { $left }
all-as-expected = { $count ->
    [one] The kernel did what the lesson says.
   *[other] All { $count } kernels did what the lesson says.
}

about-peers = vs CUB: the time of CUB's function over the kernel's; above 1 the kernel is faster
peers-not-built = To compare with CUB: cargo run --release -p { $program } --features peers (needs nvcc)
peer-failed = Not compared with CUB: { $kernel }: { $why }
peer-differs = { $peer } gives another answer
