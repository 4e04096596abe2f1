### Contadores: gráficas y tablas.

chart = { $row }, { $size } { $size ->
    [one] elemento
   *[other] elementos
}: { $meaning } ({ $name })
counted-in-order = { $row }, { $size } { $size ->
    [one] elemento
   *[other] elementos
}, en orden:
counts-of-ptx =
    Las líneas con * cuentan instrucciones PTX. Una GPU ejecuta SASS y cuenta otras. Las demás líneas son
    lo que pide el programa, y son iguales en una GPU.
head-counted = contado
head-name = nombre
head-line = línea
head-instructions = instr. de warp*
head-threads = threads
head-sectors = sectores/lectura
head-conflicts = conflictos
head-atomics = atómicas
head-source = código
atomic-addresses = direcciones de las operaciones atómicas
busiest-address = operaciones atómicas en la dirección más usada
line-by-line = { $kernel }, línea por línea:
