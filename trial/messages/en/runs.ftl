### A run: its token, its schedule, and what was wrong with it.

no-schedule = no schedule `{ $name }`: { $all }
no-schedule-near = no schedule `{ $name }`. Did you mean `{ $near }`?
token-parts = a replay token has five parts, kernel/variant/schedule/seed/size. This one has { $count }
token-no-kernel = the kernel's name is missing
token-variant = the variant is broken, correct or ladder, not `{ $variant }`
token-seed = the seed `{ $seed }` is not a number
token-size = the size `{ $size }` is not a number
token-choice = `{ $one }` is not a choice. A token has numbers, as in `random/7@3,17`, or choices of a page, as in `steps/0@w2.1`
choice-misfit = choice { $number } of the token is `{ $given }`, but there the kernel asks for one of `{ $asked }`. The token belongs to another version of the kernel, or to another size
choice-left = choice { $number } of the token is `{ $given }`, but the run ends before it. The token belongs to another version of the kernel, or to another size
device-stopped = the device stopped: { $error }
process-died = the process died: { $how }
still-running = the kernel was still running after { $seconds } s

execution-thread = thread { $thread }
execution-thread-of = block { $block }, thread { $thread }
execution-read = reads { $word } = { $value }
execution-write = writes { $word } = { $value }
execution-update = updates { $word } from { $found } to { $value }
execution-failed = compares { $word } = { $found }, and writes nothing
execution-fence = fence
execution-barrier = barrier
execution-endless = Then threads wait for ever.
execution-trapped = Then a thread traps, or its assertion fails.
execution-weak = No order of these steps explains it: a read does not get the latest value.
