### Lo que dice una lección mientras se ejecuta: sus primeras líneas, y lo que rodea a un hallazgo.

opening = { $lesson } en { $device ->
    [gpu] la GPU
   *[emulator] el emulador
}: { $name }
opening-why = porque { $why }
opening-input = datos de { $path }: { $input }
opening-unchanged = --n no cambia el tamaño de estas filas: { $rows }

does-not-compile = { $kernel }: nvcc no lo compila:
more-findings = { $kernel }: { $count ->
    [one] 1 hallazgo más. `--verbose` lo muestra
   *[other] { $count } hallazgos más. `--verbose` los muestra
}
answer-wrong = { $kernel }: el resultado fue incorrecto en { $wrong } de { $runs } { $on_gpu ->
    [true] lanzamientos
   *[false] ejecuciones
}; el primero: { $why }
wanted = se esperaba: { $text }
why-wrong = por qué: el emulador no encontró condiciones de carrera, accesos incorrectos ni deadlocks: el propio kernel calcula un resultado incorrecto
next-on-wrong = qué hacer: { $run ->
    [smaller] toma la ejecución más corta de abajo y sigue a mano un resultado incorrecto
    [same] toma la ejecución de abajo y sigue a mano un resultado incorrecto
   *[this] sigue a mano un resultado incorrecto
}. `{ $reference }` calcula el correcto
more-on-wrong = más: --explain wrong-result
see-again = { $kernel }: para verlo otra vez:
smallest-wrong = { $kernel }: la ejecución más corta con un resultado incorrecto: { $run } ({ $wrong })

smallest-run = tamaño { $size }, { $schedule }
smallest-without-choices = tamaño { $size }, en orden, pero { $reorders_blocks ->
    [true] los bloques empiezan en otro orden y{" "}
   *[false] {""}
}los lanes que se separaron no se esperan para volver a juntarse
smallest-with-choices = tamaño { $size }, in-order salvo { $count } { $count ->
    [one] decisión
   *[other] decisiones
} del orden { $schedule }
smallest-shows-it = { $run }, con otros valores y threads que arriba{ $is_wrong ->
    [true] , y el resultado es incorrecto ({ $why })
   *[false] {""}
}
more = --explain { $slug }{ $is_verbose ->
    [true] {""}
   *[false] , --verbose
}
luck = aparece en { $found } de { $runs } ejecuciones; el resultado fue incorrecto en { $wrong }
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
diagram-absent = ! lee un lane que no está
diagram-apart = - no participa
diagram-brings = aporta
diagram-group = grupo
diagram-gets = { $letter } obtiene { $mask }
