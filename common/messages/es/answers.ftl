### Resultados incorrectos, y lo que las ejecuciones de un kernel significan para la lección.

wrong-length = { $got } elementos, se esperaban { $expected }
never-written = { $value } (nunca escrito)
wrong-value = se obtuvo { $got }, se esperaba { $expected }
wrong-element = el elemento { $at } es { $got }, se esperaba { $expected }
wrong-elements = { $wrong } de { $n } { $wrong ->
    [one] es incorrecto
   *[other] son incorrectos
}
not-close = el elemento { $at } es { $got }, se esperaba { $expected } con error relativo de { $tolerance }
wrong-multiset = { $same ->
    [true] de { $expected } elementos
   *[false] { $got } elementos, se esperaban { $expected }:
} { $missing ->
    [one] falta
   *[other] faltan
} { $missing } y { $surplus ->
    [one] sobra
   *[other] sobran
} { $surplus }
for-example = por ejemplo, { $is_missing ->
    [true] falta
   *[false] sobra
} el valor { $value }
device-launch-failed = un lanzamiento dentro del kernel falló con el código { $code }

compiles-now = nvcc ahora lo compila. Si lo arreglaste, bien hecho. No se ejecuta, así que compáralo con el kernel correcto. La lección espera `compile-fail` aquí
did-not-run = no se ejecutó
wrong-first-run = incorrecto en { $wrong } de { $runs } ejecuciones, primero con { $run }: { $why }
wrong-first-launch = incorrecto en { $wrong } de { $runs } ejecuciones, primero en el lanzamiento { $launch }: { $why }
another-finding = { $is_there ->
    [true] también aparece { $other }
   *[false] ya no hay { $slug }, pero ahora aparece { $other }
}
still-wrong = ya no hay { $slug }, pero el resultado sigue siendo incorrecto en { $wrong } de { $runs } ejecuciones
note-is-left = ya no hay { $slug }, y todos los resultados son correctos. Queda una nota
not-on-own-lines = no se encontró { $slug } en las líneas del propio kernel
reported-as = aparece { $finding }
other-cause = el número de hallazgos es el mismo, pero la causa cambió: { $findings }
on-the-way = vas por buen camino: el kernel venía con { $shipped } hallazgos, y { $left ->
    [one] queda
   *[other] quedan
} { $left }: { $findings }
looks-fixed = { $gone ->
    [race] ya no hay condición de carrera, y{" "}
    [finding] ya no hay hallazgos, y{" "}
   *[nothing] {""}
}todos los resultados son correctos{ $has_input ->
    [true] {" "}con estos datos ({ $input })
   *[false] {""}
}. Si lo arreglaste, bien hecho. La lección espera `{ $expected }` aquí
finding-at = { $slug } en { $lines }
