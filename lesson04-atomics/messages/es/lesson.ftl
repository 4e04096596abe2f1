### Lo que dice la propia lección 4: su figura, y en qué son incorrectos sus resultados.

figure = Conservar los positivos de { $n } elementos
elements-kept = elementos conservados, de cada 100
atomics = Operaciones atómicas
atomics-counted = de los threads, por cada 1000 elementos; en memoria global y compartida
memory = Memoria
sectors-counted = sectores de 32 bytes leídos y escritos, por cada 1000 elementos
bandwidth = Ancho de banda
rate = GB/s, leídos y escritos

too-many-kept = se conservaron { $kept } elementos de { $n }
no-such-place = se dio la posición { $place } donde hay { $kept }
places-twice = varios threads recibieron la posición { $place }
places-missed = { $holes } de { $kept } posiciones no se dieron a nadie
not-to-keep = { $value } no es uno de los elementos que hay que conservar
after-scatter = después de repartir los elementos, { $why }

no-order = ningún orden explica lo que devolvieron las { $count } atómicas en la celda { $cell }: { $why }
left-more = { $value } se dejó en la celda { $times ->
    [one] una vez más
   *[other] { $times } veces más
} de las que se encontró allí
found-more = { $value } se encontró en la celda { $times ->
    [one] una vez más
   *[other] { $times } veces más
} de las que se dejó allí
no-way-there = { $value } se encontró en la celda, pero nada lleva hasta ese valor desde { $first }
