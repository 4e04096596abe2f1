### What `bench` says beside its table.

about = Times of the lessons' kernels on a GPU, beside CUB, Thrust and the driver's own copy
option-quick = fewer sizes and fewer rounds
option-check = no times: every method at small sizes on the emulated GPU, with its answers checked
option-job = only this job; can be given several times
option-csv = write the table as CSV
option-json = write the times and the machine as JSON
option-merge = measure nothing; make one report of several JSON files, with the median over them
option-lang = the language of the messages: en or es
option-help = show this help
skipped = skipped: no NVIDIA GPU ({ $why })
device = device: { $name }
note = note: { $text }
wrong = wrong answer: { $what }
skipped-part = skipped: { $what }: { $why }
drift = the GPU did not stay equally fast: the driver's copy ran at { $before } GB/s at the beginning and at { $after } GB/s at the end
busy = the GPU was in use before the measurement began: { $percent } % of the time
slowed = the GPU lowered its clocks during the measurement: { $reasons }
filled-differ = { $method }, { $side } x { $side }: filling rectangles by their border changes { $differ } of { $pixels } pixels
too-cheap = { $kernel } with { $threads } threads per block: the difference to no barrier is too small to measure
not-in-all = not in all files: { $row }
no-folder = the folder { $folder } does not exist
cannot-write = cannot write { $file }
error = error: { $why }
all-right = all answers are right
some-wrong = { $count } answers are wrong or missing
