### Lo que dice una lección mientras se ejecuta: sus primeras líneas, y lo que rodea a un hallazgo.

opening = { $lesson } en { $device ->
    [gpu] la GPU
   *[emulator] el emulador
}: { $name }
opening-why = porque { $why }
opening-runs = cada kernel se ejecuta muchas veces: primero en orden, luego con menos datos y sus threads en otros órdenes
opening-exhaust = todas las ejecuciones que permite el modelo de memoria, en el menor tamaño en que hay varias
opening-input = datos de { $path }: { $input }
opening-unchanged = --n no cambia el tamaño de estas filas: { $rows }

does-not-compile = { $kernel }: nvcc no lo compila:
more-findings = { $kernel }: { $count ->
    [one] 1 hallazgo más. `--verbose` lo muestra
   *[other] { $count } hallazgos más. `--verbose` los muestra
}
next-on-refused = { $instead ->
    [shuffle] `{ $name }()` y otras funciones de warp sin máscara, como `__ballot()`, ya no existen. Usa `{ $name }_sync()`: su primer argumento es una máscara de los lanes que participan. { see-correct }
    [vote] `{ $name }()` y otras funciones de warp sin máscara ya no existen. Usa `{ $name }_sync()`: su primer argumento es una máscara de los lanes que participan. { see-correct }
    [child] un kernel ya no puede esperar a su hijo. Pon lo que viene después en otro kernel, lanzado con `<<<1, 1, 0, cudaStreamTailLaunch>>>`. { see-correct }
    [multi-grid] CUDA 13 no tiene barreras para varias GPU. Lanza un kernel en cada GPU, y haz que el host espere entre dos pasos
    [sync] la barrera de un grupo se llama `sync()`: escribe `block.sync()` o `cg::sync(block)`. { see-correct }
    [valid] un bloque siempre puede usar su barrera, y por eso no tiene `is_valid()`. Escribe solo `block.sync()`. { see-correct }
   *[nothing] compáralo con `{ $correct }` en { $path }, que nvcc sí compila
}
see-correct = Un kernel que nvcc compila: `{ $correct }` en { $path }
answer-wrong = { $kernel }: el resultado fue incorrecto en { $wrong } de { $runs } { $on_gpu ->
    [true] lanzamientos
   *[false] ejecuciones
}; { $is_smaller ->
    [true] en la ejecución más pequeña
   *[false] en la primera
}: { $why }
wrote-last = { $deed }, la última escritura de { $element }
changed-last = { $deed }: { $element } pasa de { $found } a { $left }, su último cambio
of-kernel = , kernel `{ $kernel }`
label-wanted = se esperaba
label-ruled-out = descartado
label-next = qué hacer
label-more = más
label-see = { $is_smaller ->
    [true] ver la ejecución más pequeña
   *[false] ver esta ejecución
}
why-wrong = condiciones de carrera, accesos incorrectos y deadlocks. El propio kernel calcula mal el resultado{ $has_line ->
    [true] , en esta línea o antes
   *[false] {""}
}
next-on-wrong = { $note ->
    [reason] lee la nota de abajo: explica este valor.
    [other] sigue este valor hacia atrás, a mano. La nota de abajo no es la causa: no explica este valor.
    [open] lee la nota de abajo: puede ser la causa.
    [increment] `atomicInc()` escribe 0 cuando encuentra un valor mayor o igual que su segundo argumento. Ese argumento es un límite y no se suma.
    [decrement] `atomicDec()` escribe su segundo argumento cuando encuentra 0, o un valor mayor que ese argumento. Es un límite y no se resta.
    [atomic] comprueba qué hace esta operación atómica. ¿Es este el cambio que quieres?
   *[none] { $count ->
        [0] sigue este valor hacia atrás, a mano.
        [one] ningún thread lee { $unread } (escrito en la línea { $line }). Probablemente falta en este valor: comprueba qué índice o qué límite lo deja fuera.
       *[other] ningún thread lee { $unread } (escritos en la línea { $line }). Probablemente falta alguno en este valor: comprueba qué índice o qué límite los deja fuera.
    }
} `{ $reference }` calcula el valor correcto
see-again = { $kernel }: para ver una ejecución con un resultado incorrecto:
smallest-wrong = { $kernel }: la ejecución más pequeña en la que también el resultado es incorrecto: { $wrong }

size = tamaño { $size } ({ $unit ->
    [ints] ints
    [floats] floats
    [threads] threads
    [pixels] píxeles
   *[bytes] bytes
})
smallest-run = { $size }, { $schedule ->
    [in-order] un warp tras otro
    [reverse] un warp tras otro, el último primero
    [random] en un orden aleatorio
    [pct] en un orden de prioridades aleatorias
   *[adversarial] los lanes de un warp se ejecutan en momentos distintos, y las escrituras se ven tarde
}
smallest-without-choices = { $size }, en orden, pero { $reorders_blocks ->
    [true] los bloques empiezan en otro orden y{" "}
   *[false] {""}
}los lanes que se separaron no se esperan para volver a juntarse
smallest-with-choices = { $size }; { $count ->
    [one] el número después de `@` indica el paso en el que
   *[other] los { $count } números después de `@` indican los pasos en los que
} otro lane se adelanta{ $is_adversarial ->
    [true] {" "}o una escritura se ve tarde
   *[false] {""}
}
smallest-shows-it = { $run }, con otros valores y threads que arriba{ $is_wrong ->
    [true] , y el resultado es incorrecto ({ $why })
   *[false] {""}
}
more = --explain { $slug }{ $is_verbose ->
    [true] {""}
   *[false] , --verbose
}
luck = aparece en { $found } de { $runs } ejecuciones; el resultado fue { $wrong ->
    [0] correcto en todas{ $by_luck ->
        [true] , por suerte
       *[false] {""}
    }
   *[other] incorrecto en { $wrong }
}
luck-right = resultado correcto en esta ejecución
luck-wrong = resultado incorrecto ({ $why })
luck-stopped = el device detuvo esta ejecución
luck-long = aparece en { $found } de { $runs } ejecuciones{ $reversed ->
    [0] {""}
   *[other] , en { $reversed } de ellas con (2) antes de (1)
}; el resultado fue incorrecto en { $wrong }; { $this }

no-proof = El emulador no dio ninguna prueba: { $why }
proofs = Lo que el emulador encuentra en los mismos kernels incorrectos, sin depender de la suerte:
proof = { $kernel }: { $slug } en { $at }
proof-wrong = { $kernel }: incorrecto en { $wrong } de { $runs } ejecuciones

diagram-reads = lee
diagram-own = . conserva su propio valor
diagram-absent = ! lee un lane que no da ningún valor
diagram-apart = - no participa
diagram-brings = aporta
diagram-group = grupo
diagram-gets = { $letter } obtiene { $mask }

exhausted-right = { $executions ->
    [one] su única ejecución es correcta
   *[other] las { $executions } ejecuciones son correctas
}
exhausted-wrong = { $wrong } de { $executions } ejecuciones son incorrectas ({ $why })
exhausted-bounded = { $wrong ->
    [0] { $executions ->
        [one] 1 ejecución de un número desconocido, no incorrecta
       *[other] { $executions } ejecuciones de un número desconocido, ninguna incorrecta
    }
   *[other] { $executions ->
        [one] 1 ejecución de un número desconocido, incorrecta ({ $why })
       *[other] { $executions } ejecuciones de un número desconocido, { $wrong } incorrectas ({ $why })
    }
}
exhausted-racing = { $count } con una carrera de datos
exhausted-endless = { $count } sin final
exhausted-misplaced = { $count } con un acceso o una barrera no permitidos
exhausted-mistaken = { $count } con una respuesta incorrecta
exhausted-refused = sin explorar: { $feature ->
    [mixed-sizes] varios hilos acceden a los mismos bytes con tamaños distintos
    [wide] los hilos comparten memoria con accesos de 16 bytes
    [asynchronous-copy] copia de forma asíncrona
    [barrier-object] usa un objeto de barrera
    [image] lee una textura o una superficie
    [device-runtime] lanza kernels, usa el heap o se lanza de forma cooperativa
    [cluster-barrier] usa la barrera de un clúster
    [warpgroup] usa instrucciones de un warpgroup (`wgmma`)
    [events] sus hilos comparten memoria con demasiados accesos
    [instructions] ejecuta demasiadas instrucciones
   *[threads] tiene demasiados hilos
}
exhausted-in-all = { $right } de { $correct } kernels correctos, demostrados en su tamaño; { $shown } de { $broken } defectuosos muestran una ejecución incorrecta
exhausted-fixed = En todas, cada hilo corre solo, así que `__activemask()` da un solo carril. No se juzgan los valores indefinidos.
exhausted-none = el tiempo acabó antes de completar una ejecución
execution-head = ejecuciones: { $complete ->
    [true] { $wrong } de { $executions } son incorrectas
   *[false] { $wrong } de las primeras { $executions } son incorrectas
}; la más sencilla:
execution-page = para verla: { $command }
exhausted-interrupted = Ctrl-C terminó la búsqueda: no se exploraron los kernels siguientes
lean-removed = { $file }:{ $line }: sin `{ $instruction }` { $executions ->
    [one] su única ejecución también es correcta
   *[other] las { $executions } ejecuciones también son correctas
}
lean-block-scope = { $file }:{ $line }: con ámbito de bloque para `{ $instruction }` { $executions ->
    [one] su única ejecución también es correcta
   *[other] las { $executions } ejecuciones también son correctas
}
lean-head = no hacen falta con este tamaño:
lean-none = cada barrera, fence y ámbito hace falta, o sus ejecuciones son demasiadas para visitarlas
