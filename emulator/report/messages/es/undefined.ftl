### Valores sin inicializar.

loaded-unwritten = { $by_host ->
    [true] el host copia un valor calculado con memoria sin inicializar: { $place }
   *[false] { $what } depende de memoria sin inicializar: { $place }
}
    .why = (1) leyó { $place } antes de cualquier escritura.{ $has_gone ->
        [true] {" "}Antes de la barrera de la línea { $barrier } hubo salidas del kernel en la línea { $end }: { $who }.
       *[false] {""}
    }
    .fix = { $has_gone ->
        [true] los threads que salen en la línea { $end } deben escribir antes su valor y llegar a la línea { $barrier }
       *[false] escribe un valor antes de que (1) lo lea, o lee solo lo que se escribió. Si escribe otro thread, pon una barrera en medio
    }
used-unwritten = { $what } depende de { $has_writers ->
    [true] { $named ->
        [true] `{ $name }`, que este thread no escribió: solo la línea { $writers } lo escribe, en un camino que este thread no tomó
       *[false] una variable que este thread no escribió: la escribe la línea { $writers }, en otro camino
    }
   *[false] un valor que ningún thread escribió
}
    .why = { $has_writers ->
        [true] El valor es una variable que se escribe en la línea { $writers }. Este thread tomó otro camino.
       *[false] El valor viene de memoria o de una variable que nada escribió.
    }
    .fix = escribe el valor antes de esta línea, en todos los caminos que llevan a ella{ $has_writers ->
        [true] . O entrega el valor de la línea { $writers } a los otros lanes con un shuffle
       *[false] {""}
    }
copied-unwritten = el host copia { $known ->
    [true] memoria que ningún thread escribió: { $place }
   *[false] un valor que ningún thread escribió
}
    .why = { $has_kernel ->
        [true] Ni `{ $kernel }`, el último kernel antes de la copia, ni nada más lo ha escrito.
       *[false] Ningún kernel y ninguna copia lo ha escrito.
    }
    .fix = { $has_beside ->
        [true] { $at_a_time ->
            [0] haz que un thread escriba también { $place }, en la línea { $line } o en otra propia. O copia solo lo que se escribió
           *[other] la línea { $line } escribe { $at_a_time } elementos a la vez, y al final quedan menos. Haz que un thread escriba el resto: { $place }
        }
       *[false] haz que el kernel escriba todos los elementos que lee el host, o copia solo lo que se escribió
    }
missed-here = con esta línea tal como está, ningún thread escribe { $place }
written-beside = escribe { $beside }, pero nunca { $place }
elements = { $count ->
    [one] `{ $name }[{ $first }]`
   *[other] de `{ $name }[{ $first }]` a `{ $name }[{ $last }]`
}
bytes-of = { $count ->
    [one] byte { $first }
   *[other] bytes { $first } a { $last }
} de { $buffer }
lane-absent = un shuffle lee el lane { $lane }, { absent-how }; { $what } depende de él
    .why = { absent-why }
    .fix = { absent-fix }
absent-lane-copied = un shuffle lee el lane { $lane }, { absent-how }; el host copia el resultado
    .why = { absent-why }
    .fix = { absent-fix }
absent-how = { $absent ->
    [no-thread] donde no hay ningún thread
    [ended] que ha terminado
   *[not-named] que la máscara deja fuera
}
absent-why = { $absent ->
    [no-thread] El bloque tiene { $threads } threads. Su último warp termina en el lane { $last }, así que el lane { $lane } no da ningún valor.
    [ended] El lane { $lane } terminó antes del shuffle y no le dio ningún valor.
   *[not-named] El lane { $lane } no participa en un shuffle con la máscara { $mask }, así que el valor que se lee no está definido.
}{ $away ->
    [parted] {" "}Los lanes { $taker } y { $lane } tomaron caminos distintos en la línea { $away_line }.
    [ended] {" "}El lane { $lane } terminó en la línea { $away_line }.
   *[unknown] {""}
}{ $comes ->
    [true] {" "}El lane { $lane } también llega a esta línea, con otra máscara o en otra iteración.
   *[false] {""}
}{ $asked ->
    [true] {" "}`__activemask()` devuelve los lanes que en ese momento se ejecutan juntos, que pueden ser menos que los que participan.
   *[false] {""}
}
absent-fix = { $asked ->
    [true] nombra los lanes que participan: 0xffffffff si todos llegan a esta línea, si no una máscara de `__ballot_sync()` hecha antes de la rama
   *[false] { $absent ->
        [no-thread] lee solo lanes que tienen thread, aquí de 0 a { $last }, o lanza warps enteros
        [ended] haz que cada lane haga la llamada antes de terminar, con un valor neutro (0 en una suma) si no tiene elemento
       *[not-named] { $comes ->
            [true] da a todos los lanes que intercambian valores una máscara que los nombre a todos, 0xffffffff para un warp entero
           *[false] lee solo lanes que la máscara nombra. O haz que los 32 lanes hagan la llamada, con la máscara 0xffffffff
        }
    }
}
