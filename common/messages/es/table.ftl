### Tablas: --list, y lo que hicieron los kernels.

head-row = fila
head-kernel = kernel
head-variant = variante
head-expected = esperado
head-wrong = { $on_gpu ->
    [true] lanzamientos incorrectos
   *[false] ejecuciones incorrectas
}
head-time = tiempo
head-of-copy = de la copia
head-of-peer = frente a CUB
head-found = encontrado
head-as-expected = según lo esperado

expected-refused = rechazado por nvcc
expected-correct = correcto, sin hallazgos
right = correcto
out-of = { $wrong } de { $runs }
kernels-of-row = { $count } kernels de { $row }
refused = rechazado
refused-at = rechazado en { $line }
as-note = { $text } (nota)
and-more = { $first }, y { $count } más

yes = sí
no = NO
fixed = corregido
partly-fixed = corregido en parte
changed = cambiado

is-fixed = { $count ->
    [one] Corregido: { $kernels } fue correcto en cada ejecución, sin hallazgos. La lección espera su error, así que el estado de salida es 1.
   *[other] Corregidos: { $kernels } fueron correctos en cada ejecución, sin hallazgos. La lección espera sus errores, así que el estado de salida es 1.
}
not-as-expected = { $kernel } no hizo lo que dice la lección: { $why }
edited-in-vain = editado, pero ningún hallazgo está corregido: { $kernel } venía con { $came_with } y tiene { $left }
all-as-expected = { $count ->
    [one] El kernel hizo lo que dice la lección.
   *[other] Los { $count } kernels hicieron lo que dice la lección.
}

about-peers = frente a CUB: el tiempo de la función de CUB entre el del kernel; por encima de 1 el kernel es más rápido
peers-not-built = Para comparar con CUB: cargo run --release -p { $program } --features peers (necesita nvcc)
peer-failed = Sin comparar con CUB: { $kernel }: { $why }
peer-differs = { $peer } da otro resultado
