### Counters: charts and tables.

chart = { $row }, { $size } { $size ->
    [one] element
   *[other] elements
}: { $meaning } ({ $name })
counted-in-order = { $row }, { $size } { $size ->
    [one] element
   *[other] elements
}, in order:
counts-of-ptx =
    Lines marked * count PTX instructions. A GPU runs SASS and counts other ones. The other lines are
    what the program asks for, and are the same on a GPU.
head-counted = counted
head-name = name
head-line = line
head-instructions = warp instr.*
head-threads = threads
head-sectors = sectors/load
head-conflicts = conflicts
head-atomics = atomics
head-source = source
atomic-addresses = addresses that atomics went to
busiest-address = atomic operations on the busiest of them
line-by-line = { $kernel }, line by line:
