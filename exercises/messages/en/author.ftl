### For authors: `new`, `verify`, packs.

topic-without-file = { $name } has no topic.toml
topic-order-lacks = { $name }/{ $found } is not in the topic's order
topic-without-readme = { $name } has no README.md

new-unreadable = write `{ $name }` like 02_sync/who_wins: the topic, then the exercise's name
new-bad-name = `{ $name }` is no name for the { $is_topic ->
    [true] topic
   *[false] exercise
}: use up to { $most } small letters, digits and `_`, with a letter or digit first
new-name-taken = an exercise cannot be called `{ $name }`: choose a name for the mistake or the idea, such as missing_barrier
new-is-there = { $path } is there already
new-same-name = `{ $name }` has this name already, and students type only the name
new-cannot-add = cannot add `{ $name }` to { $path }
new-no-order = it has no list `order`
new-made = { $folder } is a small exercise of the kind `{ $kind }` that works
new-also = { $file } was written, too
new-not-stored = Without a compiler its PTX is not stored; `{ $command } verify { $name } --store` does it later
new-next = Change it, then check that it does what it promises: { $command } verify { $name }
new-ptx = Students need its PTX without a compiler: `cargo xtask ptx` stores it.
new-read = exercises/AUTHORS.md, "How to write a new exercise", has the rest.

store-is-for-packs = `cargo xtask ptx` stores the course's own PTX; `--store` is for packs
stored = stored { $file }

pack-unreadable = { $path } should have two lines: name = "my-pack" and course = "{ $course }"
pack-bad-name = the name in { $path } may contain letters, digits, `-` and `_`
pack-missing = there is no { $path }. It says with which version of the course the exercises were checked.
    `{ $command } verify` checks them with this version, { $course }. When all pass, write into it
pack-other-version = the exercises of `{ $name }` were checked with version { $checked } of the course{ $is_newer ->
    [true] , and this is { $course }
   *[false] {""}
}
    { $is_newer ->
        [true] Update the course (`git pull`). Or: {""}
       *[false] {""}
    }`{ $command } verify` checks them with this version, { $course }; when all pass, set course = "{ $course }" in { $path }

verify-no-exercise = no exercise's name contains `{ $part }`
verify-ptx-missing = the stored PTX of { $names } is missing or out of date. Students without a compiler need it: `{ $command } verify { $name } --store` makes it
verify-passes-with-note = { $name } passes with a note, it should pass without one
verify-passes = { $name } passes, it should be { $wanted }
verify-rejected = { $name } is rejected as { $kinds }, it should { $wanted ->
    [pass] pass
   *[other] be { $wanted }
}
verify-cheats = (answers made from check.cu)
verify-cheat-passes = { $name } passes: give it [work] threads, or a budget
verify-ok = ok
verify-failed = FAILED
verify-line = { $name } ({ $answers } answers, { $seconds } s)
verify-standing = { $good } of { $of } exercises do what they promise
verify-busiest = [work] { $name } = { $stated } is more than three times what the costliest right answer needs, { $most }: at most { $wanted }

form-hints = { $count } hints, there should be at least two
form-empty-text = title, idea or a hint is empty
form-no-right = there is no right answer written in another way (right_*)
form-wrongs = { $count } wrong answers (wrong_*), there should be at least three
form-wrong-without-kind = { $name } does not begin with `// wrong: KIND`
form-wrong-without-why = the second line of { $name } does not say why a student would write it
form-todo = the shipped file should have one `TODO:`
form-screen = the shipped file has { $lines } lines, { $most } are one screen
form-same-answers = { $one } and { $other } are the same answer, apart from comments and spaces
form-questions = the kinds `predict` and `count` need questions, and no other kind takes them
form-counts = the kind `count` asks for `executions` or `wrong` of a kernel, and no other kind does
form-host = the kind `host` needs [host], and no other kind takes it
form-break = the kind `break` needs [break], and no other kind takes it
form-size = size `{ $name }` cannot be drawn: `from` is at least 0 and at most `to`, `step` is at least 1, and `one_of` names a value
form-inputs = [trial] inputs: there should be at least two
form-no-check = no [[buffer]] has `check`: nothing is compared
form-spanish-count = exercise.es.toml: { $count } { $name }, there should be { $wanted }
form-spanish-comments = exercise.es.toml: { $count } comments, the shipped file has { $wanted }
form-spanish-code = exercise.es.toml: the Spanish file has different code
form-spanish-lines = exercise.es.toml: the file has { $lines } lines in Spanish and { $wanted } in English. Its stored PTX names lines, so they must be the same
budget-without-bound = `{ $sum }` has neither at_most nor at_least
expression-unexpected = `{ $what }` is not expected here
expression-missing = `{ $what }` is missing
expression-too-large = too large a number
expression-by-zero = a division by zero, or too large a number
expression-no-number = `{ $digits }` is no number
expression-ends = something is missing at the end
expression-ceil-div = ceil_div divides by a positive number
expression-no-function = there is no function `{ $name }`; there are ceil_div, min and max
counter-unknown = no counter is called `{ $name }`; docs/counters.md has them all
cheat-no-kernel = [[launch]] names the kernel `{ $kernel }`, and neither the shipped file nor the solution has it
check-has-no = check.cu has no `{ $name }(...)`
question-no-run = the run that a question asks about was stopped early
element-unreadable = write the element `{ $place }` like out[0]
buffer-unknown = there is no buffer `{ $name }`
element-outside = the element `{ $place }` is outside its buffer
reason-unknown = no verdict has the reason `{ $name }`
buffer-length = the buffer `{ $name }` has an impossible length
check-stops = `{ $kernel }` of check.cu: { $why }
launch-unreadable = [[launch]] of `{ $kernel }`: { $why }
type-unknown = there is no type `{ $name }`
launch-dimensions = a grid and a block have at most three dimensions
launch-extent = { $value } is no size of a grid or a block
launch-shared = the size of the shared memory is impossible
expression-not-whole = { $value } should be a whole number
fill-one-of-nothing = `one_of` names no value
buffer-unread = a buffer cannot be read: { $why }
form-no-file = there is no { $name }
argument-unknown = there is neither a buffer nor a size `{ $name }`
expression-negative = { $value } is negative
topic-order-names = { $name }/topic.toml names `{ $exercise }` in its order, and there is no such folder
verify-same = the same with { $count ->
    [one] { $count } more answer: { $names }
   *[other] { $count } more answers: { $names }
}
verify-no-verdict = without a verdict therefore: { $count ->
    [one] { $count } answer ({ $names })
   *[other] { $count } answers ({ $names })
}
cheat-nothing = (kernels that do nothing)
cheat-one-thread = (one thread, as the reference)
cheat-stored-back = (one thread, and the others store it back)

range-label = Range
range-from = { $name } is from { $from } to { $to }
range-list = { $name } is { $values }
range-multiple = { $name } is a multiple of { $step } from { $from } to { $to }
range-steps = { $name } is from { $from } to { $to } in steps of { $step }
range-or = { $before } or { $last }
range-values = { $name } has values { $values }
range-values-from = from { $from } to { $to }
range-permutation = 0, 1, 2, ... in any order
range-written = wrote the ranges in { $file }
form-range = { $file } lacks the line `{ $line }`: `cargo learn verify { $name } --write-ranges` writes it
form-range-idle = { $file } states ranges, but { $name } has no sizes and no drawn buffers

ends-reference = `{ $kernel }` of check.cu is wrong at the end of a range, where { $place }: { $why }
ends-lowest = all values are the smallest
ends-highest = all values are the largest
ends-drawn = values are drawn
