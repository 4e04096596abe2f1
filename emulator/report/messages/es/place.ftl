### Dónde: una variable, un elemento, un buffer, un bloque.

argument = el argumento { $number }
element-of-variable = el elemento { $index } de `{ $name }`, contado desde su principio
element-of-argument = el elemento { $index } de la memoria a la que apunta el argumento { $number }
element-of-array = el elemento { $index } de `{ $name }`
what-argument-points-to = la memoria a la que apunta el argumento { $number }
byte-of-place = el byte { $byte } de { $place }
own-variable = una variable local
same-bytes = { $bytes ->
    [one] el mismo byte
   *[other] los mismos { $bytes } bytes
}
some-bytes = { $bytes ->
    [one] un byte de memoria
   *[other] { $bytes } bytes de memoria
}
at-address = la dirección { $address }
side = { $side ->
    [before] antes del principio
   *[past] después del final
}
buffer-of = { $argument }, un buffer de { $bytes } bytes
buffer-variable = `{ $name }`, una variable de { $bytes } bytes
buffer-unnamed = una reserva de { $bytes } bytes
allocation = { $bytes } bytes de { $memory ->
    [device] memoria del device
    [heap] el heap del código del device
    [page-locked] memoria page-locked
    [unified] memoria unificada
   *[registered] memoria del host registrada
}, reserva { $number } del contexto
near = { $place } (cerca de { $near })
block = bloque ({ $x },{ $y },{ $z })
warp-of = warp { $warp } del { $block }
in-shared = { $block }, { $bytes } bytes en shared+{ $offset }
in-global = { $bytes } bytes de memoria global, byte { $offset }: { $buffer }
at-global-address = { $bytes } bytes de memoria global, dirección { $address }
byte-of = byte { $offset }: { $buffer }
byte-in = el byte { $offset }, en { $buffer }
byte-of-freed = byte { $offset } de una reserva liberada de { $bytes } bytes
byte-of-allocation = byte { $offset } de una reserva de { $bytes } bytes
past-a-multiple = { $at }, { $past } más que un múltiplo
outside-array-at = { $block }, { $far } bytes { $side } de `{ $array }`, que tiene { $bytes } bytes
outside-array-there = { $at }, donde está { $there }
element-outside = { $element }, { $side } de `{ $array }`, que tiene { $elements ->
    [one] 1 elemento
   *[other] { $elements } elementos
}
bytes-past = { $far ->
    [0] justo después del final: { $buffer }
    [one] 1 byte después del final: { $buffer }
   *[other] { $far } bytes después del final: { $buffer }
}
bytes-before = { $far ->
    [one] 1 byte antes: { $buffer }
   *[other] { $far } bytes antes: { $buffer }
}
element-there = { $element }, { $at }
outside-shared = el byte { $at } de la memoria compartida, pero el bloque solo tiene { $bytes } bytes
no-memory = la dirección { $address } de memoria { $space }, donde no hay memoria
