### The student's side: copies, progress, hints, the watch.

welcome = Each exercise is a file with something to repair, to write or to find out. Open it in an editor, change it and save it: the verdict appears here. No GPU is needed. h shows a hint, l lists all exercises.
keys = h hint, f fix, n next, l list, e editor, r run, v verbose, s solution, x reset, ? help, q quit (then Enter)
keys-help =
    h: the next hint.
    f: try small changes that fix it.
    n: the next unsolved exercise.
    m: the next page of a long text.
    l: the list. A number or a name, here or there, goes to that exercise.
    e: open the file in your editor.
    r: judge again.
    v: show all findings and details, or the first only.
    s: show an answer that works (asks first).
    x: start again with the file as it was handed out (asks first).
    q: quit.
    explain race-shared: what that kind of finding is.
    Saving the file judges it. Each key is followed by Enter.
keys-list = a number or a name goes there; a word or a topic shows those, t to do, a all; m next page, b page before; Enter alone goes back, q quits
editor-unknown = Set EDITOR to the command that opens a file in your editor. The file is { $file }
state-solved = solved
state-times = judged { $count } times
state-unsolved = not solved yet: { $kinds }
judging = judging…
judging-compiler = compiling { $file }, { $seconds } s
judging-runs = running { $file } on the emulated GPU, { $seconds } s
judging-groups = compiling { $file }, { $seconds } s. The headers of cooperative groups take some seconds.
judging-cargo = { $of ->
    [0] cargo prepares what programs of the host need, { $seconds } s
   *[other] cargo builds what programs of the host need: { $done } of { $of }, now { $name }, { $seconds } s
}
stuck-compiler = The compiler has been at work for { $seconds } s and may be stuck.
stuck-runs = Your kernel has been running for { $seconds } s. Does it have an endless loop?
stuck-watch = Keep waiting, or change the file and save it: that starts again.
stuck-once = Keep waiting, or press Ctrl-C to stop.
page-more = { $count ->
    [one] … { $count } more line: press m and Enter
   *[other] … { $count } more lines: press m and Enter
}
page-more-fix = … { $count ->
    [one] { $count } more line with a fix: press m and Enter
   *[other] { $count } more lines with a fix: press m and Enter
}
page-last = (end; m and Enter: back to the beginning)
list-to-do = to do
list-rows = rows { $from } to { $to } of { $of }; { $standing }
command-elsewhere = Type `{ $line }` in a second terminal. This screen keeps watching your file.
line-unknown = `{ $line }` is no key and no exercise. l and Enter: the list of all exercises.
line-unknown-near = `{ $line }` is no key and no exercise. Did you mean `{ $near }`? l and Enter: the list of all exercises.
number-unknown = There is no exercise { $number }: the numbers go from 1 to { $of }. l and Enter: the list.
nothing-to-do = There is nothing to do: all is solved.
nothing-done = Nothing was changed.
editor-done = The editor has ended. { $file } is judged when it has changed.
fix-tried = Trying small changes…
fix-above = This fix is above. Nothing else was tried.
fix-later = After the verdict, small changes are tried.
file-gone = { $file } is not there any more. `{ $command } reset { $name }` puts it back as it was handed out.
edit = edit { $file }
standing = { $solved } of { $of } solved
standing-topic = { $topic }: { $solved } of { $of }
solved-next = { $standing }. n and Enter: the next one.
all-solved = All exercises are solved. `{ $command } list` lists them; `{ $command } reset NAME` starts one again.
all-solved-without-compiler = All exercises that need no compiler are solved. For the others: { $why }
hint = hint { $number } of { $of }: { $hint }
no-fix = No small change to try here. `h` shows a hint.
hint-last = That was the last hint; `{ $command } solution { $name }` shows an answer that works.
hints-taken = { $count ->
    [one] { $count } hint
   *[other] { $count } hints
}
laid-new = { $count ->
    [one] { $count } exercise is new in { $folder }
   *[other] { $count } exercises are new in { $folder }
}
laid-refreshed = { $count ->
    [one] { $count } exercise that you have not edited was updated
   *[other] { $count } exercises that you have not edited were updated
}
laid-outdated = note: { $name } has changed in the course. Your file is kept; `{ $command } reset { $short }` takes the new one
obstacle-next = The kinds predict, count, break and host need no compiler: `{ $command }` goes to the next of them.
no-exercises = there are no exercises
no-exercises-in = there are no exercises in { $folder }; `cargo learn new` makes one
exercise-unknown = there is no exercise `{ $name }`; `cargo learn list` lists all
exercise-unknown-near = there is no exercise `{ $name }`; did you mean `{ $near }`?
exercise-ambiguous = several exercises are called `{ $name }`: { $names }
nowhere-to-begin = `{ $name }` is no command, no topic and no exercise; `{ $command } --help` shows the commands

ask-reset = start { $name } again?
ask-solution = { $name } is not solved yet; show an answer?
ask-toolkit = fetch it now (about 195 MB, into your cache folder)?
ask-yes = Confirm with `--yes`.
ask-choice = [y/N]
reset-done = { $file } is now as it was handed out
reset-kept = your file is kept as { $file }
no-solution = these exercises came without a solution of { $name }; ask the person who gave them to you
until-then = Until then you can do the kinds predict, count, break and host, which need no compiler.
looking-for-compiler = Looking for a CUDA compiler. An nvcc that does not answer may be stuck; `cargo toolkit install` brings another one.
toolkit-failed = `cargo toolkit install` did not work; `cargo learn doctor` says what is missing

progress-head = Written by `cargo learn`: what you have solved, and the hints that you have taken.
progress-put-aside = note: { $path } is damaged and is now { $aside }. A new one begins; your exercises are as they were.

## Files

cannot-read = cannot read { $path }
cannot-open = cannot open { $path }
cannot-list = cannot list { $path }
cannot-create = cannot create { $path }
cannot-create-own-folder = cannot create { $path }; name another folder with `--dir`
cannot-write = cannot write { $path }{ $why ->
    [full] ; free some space. Your files were not changed
    [closed] ; make it writable, or name another folder with `--dir`
   *[other] {""}
}
cannot-keep = cannot keep { $path }
cannot-put-aside = cannot rename { $path }
cannot-lock = cannot lock { $path }
cannot-run = cannot run { $program }
no-own-path = cannot find this program's own file
toml-not-as-described = { $path } is not as exercises/AUTHORS.md describes it
in-file = in { $path }
host-builds = Cargo builds what programs of the host need. This takes minutes, once.
