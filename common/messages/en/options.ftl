### The command line: what --help says, and what is wrong with an option.

about = { $lesson }, on a GPU or on the emulator
exit-status = Exit status: 0 if everything happened as the lesson says, 1 if not, 2 for bad arguments.

option-device = Where to run: auto (the GPU if there is one that takes our kernels, else the emulator), gpu, or emulator [default: $LESSON_DEVICE, or auto]
option-seeds = Emulator: the seeds of the random schedules, from FIRST up to but not including END [default: 0..64, fewer for a catalogue]
option-seed = Emulator: only this one random schedule
option-schedule = Emulator: only this schedule. in-order: one warp after the other. reverse: the last one first. random: at random, and it sometimes splits a warp. pct: few changes of random priorities. adversarial: splits anywhere and reads old values
option-only = Only this row. You can give it several times
option-replay = Emulator: repeat exactly one run, as a report names it
option-list = List the rows and their kernels
option-explain = Explain a kind of finding, with an example. Without SLUG, list them
option-verbose = Show every finding, and more about each
option-lang = Language: en or es [default: $LESSON_LANG, or the locale]
option-n = Number of elements, instead of each row's own
option-input = A file to read, as bytes, by the rows that take real input
option-counters = Emulator: count what each kernel does, in order, by kernel and by line
option-exhaust = Emulator: visit every execution that the memory model allows, at a size of a few threads
option-lean = With --exhaust: say which barriers, fences and scopes are not needed at this size
option-plot = Write the lesson's figure to this file, an .svg or a .png
option-trace = Emulator: write what happened in one run, in order, to this file: the run of --replay, else the one that the first report repeats. A name in .json, or in .perfetto.json for Perfetto
option-web = Emulator: write a page on which that run is seen and played, for a browser. A name in .html
option-leaks = Emulator: name what is still allocated when a context ends
option-no-try = Emulator: do not try fixes
option-format = How to print the results: text, json (one object, always in English) or sarif (a JSON format that editors can show)
option-help = Print help

no-language = no language `{ $code }`: en, es
not-a-size = write a whole number, 0 or more, in digits only, as in 1000000
not-a-seed = write a whole number, 0 or more, as in 7
not-a-range = write two whole numbers, FIRST..END, as in 0..64
empty-range = { $first }..{ $end } contains no seed. The end is not part of the range
figure-ending = write a name that ends in .svg or .png
trace-ending = write a name that ends in .json, or in .perfetto.json for Perfetto
page-ending = write a name that ends in .html

kernel-is-no-row = `{ $kernel }` is a kernel of the row `{ $row }`: --only { $row }
no-row = no row `{ $name }`: { $rows }
no-kernel = this lesson has no kernel { $kernel }/{ $variant }. --list shows them
replay-on-gpu = a replay needs the emulator: a GPU has no seed
trace-on-gpu = { $option } needs the emulator: a GPU does not tell the order of its accesses
trace-unchecked = { $option } needs all checks
trace-too-large = { $option } takes runs of up to { $most } elements, and this one has { $size }
trace-unwritable-why = { $option } cannot write { $path }: { $why }
replay-not-selected = this replay is of the row `{ $row }`, and --only names { $only }
not-at-size = the row `{ $row }` does not run at size { $size }
n-too-small = --n { $n } is too small for every selected row
no-seed = the schedule { $schedule } takes no seed
n-without-effect = --n has no effect: every selected row has a fixed size
plot-without-folder = there is no folder { $folder } for the figure
plot-without-effect = --plot has no effect: no selected row has a figure
input-without-effect = --input has no effect: no selected row reads a file

# clap says these itself in English.
