### Lo que rodea a las frases de un hallazgo.

error = error
note = nota
in-kernel-named = , kernel `{ $kernel }`
in-block-of-grid = , bloque { $block }
kernel-alone = kernel `{ $kernel }`
line-of-ptx = línea { $line } del PTX
called-from-line = , llamado desde la línea { $line }
called-inside = {" "}(dentro de una llamada de esta línea)
called-from = , llamado desde { $path }:{ $line }
launched = { $is_first ->
    [true] ({ $number }) `{ $kernel }` en { $at }
   *[false] , `{ $kernel }` en { $at }
} por { $who }
and-so-on = , y así hasta { $depth } niveles
first-in-run = { $deed }, antes que (2)
in-time = {" "}(esta vez, el valor que escribió (1))
again = {" "}otra vez, en una iteración posterior
label-launched = lanzado
label-where = dónde
label-why = por qué
label-luck = frecuencia
label-idea = idea
label-fix = corrección
label-fix-tried = corrección (probada, { $is_answer_known ->
    [true] correcta en { $runs } de { $runs } ejecuciones
   *[false] sin hallazgos en { $runs ->
        [one] 1 ejecución
       *[other] { $runs } ejecuciones
    }; no se conoce el resultado correcto
})
change-also = {""} y antes de la línea { $line }{ $tells_was ->
    [true] {" "}`{ $was }`
   *[false] {""}
}
change = { $kind ->
    [new] añade `{ $code }` antes de la línea { $line }{ $tells_was ->
        [true] {" "}`{ $was }`
       *[false] {""}
    }{ $also }
    [removed] borra la línea { $line } `{ $code }`
   *[changed] cambia la línea { $line } { $tells_was ->
        [true] `{ $was }` por `{ $code }`
       *[false] por `{ $code }`
    }
}{ $has_more ->
    [true] {" "}y
   *[false] {""}
}
fix-with-first = la que se probó arriba también corrige este hallazgo
fix-with-next = la de un hallazgo de abajo también corrige este
label-avoid = para evitarlo
label-replay = repetir
label-see = { $is_smaller ->
    [true] ver una ejecución más pequeña
   *[false] ver esta ejecución
}
label-smallest = más corta
label-more = más
