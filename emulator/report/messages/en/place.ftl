### Where: a variable, an element, a buffer, a block.

argument = argument { $number }
element-of-variable = element { $index } of `{ $name }`, counted from its beginning
element-of-argument = element { $index } of what argument { $number } points to
element-of-array = element { $index } of `{ $name }`
what-argument-points-to = what argument { $number } points to
byte-of-place = byte { $byte } of { $place }
own-variable = a local variable
same-bytes = { $bytes ->
    [one] the same byte
   *[other] the same { $bytes } bytes
}
some-bytes = { $bytes ->
    [one] a byte of memory
   *[other] { $bytes } bytes of memory
}
at-address = address { $address }
side = { $side ->
    [before] before the start
   *[past] past the end
}
buffer-of = the { $bytes }-byte buffer of { $argument }
buffer-variable = `{ $name }`, a variable of { $bytes } bytes
buffer-unnamed = an allocation of { $bytes } bytes
allocation = { $bytes } bytes of { $memory ->
    [device] device memory
    [heap] the heap of device code
    [page-locked] page-locked memory
    [unified] unified memory
   *[registered] registered host memory
}, allocation { $number } of the context
near = { $place } (near { $near })
block = block ({ $x },{ $y },{ $z })
warp-of = warp { $warp } of { $block }
in-shared = { $block }, { $bytes } bytes at shared+{ $offset }
in-global = { $bytes } bytes of global memory, byte { $offset } of { $buffer }
at-global-address = { $bytes } bytes of global memory, address { $address }
byte-of = byte { $offset } of { $buffer }
byte-in = byte { $offset } of { $buffer }
byte-of-freed = byte { $offset } of a freed allocation of { $bytes } bytes
byte-of-allocation = byte { $offset } of an allocation of { $bytes } bytes
past-a-multiple = { $at }, { $past } past a multiple
outside-array-at = { $block }, { $far } bytes { $side } of `{ $array }`, which has { $bytes } bytes
outside-array-there = { $at }, where { $there } is
element-outside = { $element } is { $side } of `{ $array }`, which has { $elements ->
    [one] 1 element
   *[other] { $elements } elements
}
bytes-past = { $far ->
    [0] just past the end of { $buffer }
    [one] 1 byte past the end of { $buffer }
   *[other] { $far } bytes past the end of { $buffer }
}
bytes-before = { $far ->
    [one] 1 byte before { $buffer }
   *[other] { $far } bytes before { $buffer }
}
element-there = { $element }, { $at }
outside-shared = byte { $at } of shared memory, but the block has only { $bytes } bytes
no-memory = { $space } address { $address }, where there is no memory
