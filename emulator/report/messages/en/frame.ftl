### What stands around a finding's sentences.

error = error
note = note
in-kernel-named = , kernel `{ $kernel }`
kernel-alone = kernel `{ $kernel }`
line-of-ptx = line { $line } of the PTX
called-from-line = , called from line { $line }
called-from = , called from { $path }:{ $line }
launched = { $is_first ->
    [true] ({ $number }) is in
   *[false] , in
} `{ $kernel }`, launched at { $at } by { $who }
and-so-on = , and so on, { $depth } deep
order = (1) came first in this run
label-launched = launched
label-order = order
label-where = where
label-why = why
label-luck = runs
label-fix = fix
label-replay = replay
label-smallest = smallest
label-more = more
