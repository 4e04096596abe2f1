### Threads que se esperan para siempre.

deadlock = deadlock (bloqueo mutuo): los threads del bloque se esperan unos a otros
    .why = No queda ningún thread que pueda llegar a donde estos esperan.{ $ended ->
        [0] {""}
        [one] {" "}Del bloque, { $who } ha terminado.
       *[other] {" "}Del bloque, { $who } han terminado.
    }{ $more ->
        [0] {""}
        [one] {" "}Hay threads que esperan en otro lugar más.
       *[other] {" "}Hay threads que esperan en otros { $more } lugares.
    }
    .fix = haz que todos los threads lleguen a la llamada en la que otros esperan. Una máscara puede nombrar solo lanes que llegan a su llamada
grid-deadlock = deadlock (bloqueo mutuo): { $waiting ->
    [0] unos bloques esperan en `grid.sync()` a bloques que no llegarán
    [one] { $who_wait } espera en `grid.sync()`{ others-of-grid }
   *[other] { $who_wait } esperan en `grid.sync()`{ others-of-grid }
}
    .why = Todos los bloques del grid deben llegar a `grid.sync()` las mismas veces.
    .fix = haz que todos los bloques lleguen a cada `grid.sync()`: return después, no antes
others-of-grid = { $ended ->
    [0] {""}
    [one] , pero { $who_ended } ha terminado
   *[other] , pero { $who_ended } han terminado
}{ $elsewhere ->
    [0] {""}
    [one] , y { $who_elsewhere } espera en otra barrera
   *[other] , y { $who_elsewhere } esperan en otra barrera
}
livelock = { $circle ->
    [locks] cada thread retiene un lock que otro necesita: un deadlock (bloqueo mutuo) con espera en un bucle
    [phases] cada thread espera una fase de una barrera que otro tiene que completar
    [meeting] unos threads esperan en un bucle a un thread que los espera a ellos
    [bytes-missing] unos threads esperan una fase que espera más bytes de los que traen las copias
    [bytes-surplus] unos threads esperan una fase que espera menos bytes de los que han traído las copias
   *[none] unos threads repiten un bucle que ningún thread terminará
}
    .why = { no-end }{ $circle ->
        [locks] {" "}En un curso esto se llama deadlock. Aquí se llama livelock, porque los threads siguen ejecutándose.
       *[none] {""}
    }
    .fix = { $circle ->
        [locks] haz que todos los threads tomen los locks en el mismo orden
        [phases] revisa la paridad de cada primera espera. La fase anterior a la primera cuenta como completa: una espera de su paridad, 1, pasa
        [meeting] haz que el thread al que esperan los demás termine su bucle antes de esperar él mismo
        [bytes-missing] haz que `expect_tx` cuente exactamente los bytes de las copias que completan esta fase, o empieza la copia que falta
        [bytes-surplus] haz que `expect_tx` cuente los bytes de todas las copias que completan esta fase. Una copia de una fase posterior debe esperar a que esta se complete
       *[none] busca el thread que debe terminar el bucle. ¿Espera, ha terminado o no ha empezado?
    }
kept-lock = el lock tomado en la línea { $taken } nunca se libera
    .why = { no-end } El thread que tomó el lock ha terminado.
    .fix = libera el lock en todos los caminos antes de que termine su thread: `__threadfence()` y después `atomicExch()`
loaded-once = `atomicCAS()` en la línea { $swap } compara siempre con un valor antiguo
    .why = { no-end } La línea { $load } lee el valor una sola vez, antes del bucle.
    .fix = si `atomicCAS()` falla, compara en la siguiente iteración con el valor que devolvió
flag-loaded-once = el bucle de la línea { $at } no lee memoria y no ve ningún cambio
    .why = { no-end } El compilador lee una variable normal una sola vez, antes del bucle, y guarda el valor.
    .fix = lee la variable con `atomicAdd(p, 0)`, o con un puntero `volatile`
no-end = Cada thread espera o vuelve a donde estaba, y ninguno cambia lo que lee. Con ningún orden de ejecución termina este bucle.{ $more ->
    [0] {""}
    [one] {" "}Otro bloque está en este estado.
   *[other] {" "}Otros { $more } bloques están en este estado.
}{ $not_begun ->
    [0] {""}
    [one] {" "}Un bloque no ha empezado: aún no cabe en el device.
   *[other] {" "}{ $not_begun } bloques no han empezado: aún no caben en el device.
}
out-of-fuel = el lanzamiento no termina: terminaron muy pocos threads en { $instructions } instrucciones
    .why = El lanzamiento puede ejecutar { $fuel } instrucciones de threads, y más por cada thread que termina. Quizá solo sea lento.{ $more ->
        [0] {""}
        [one] {" "}Otro bloque está en este estado.
       *[other] {" "}Otros { $more } bloques están en este estado.
    }
    .fix = busca el thread que debe terminar el bucle. ¿Espera, ha terminado o no ha empezado?
masks-differ = deadlock: los lanes de un warp se esperan con máscaras distintas
    .why = Los lanes solo se encuentran si la operación y la máscara son las mismas. Cada una de estas máscaras nombra lanes que esperan en otro lugar.
    .fix = { $come ->
        [unknown] da a todos los lanes que se encuentran la misma máscara, hecha antes de la rama
       *[other] { all-come }
    }
operations-differ = deadlock: los lanes de un warp se esperan en operaciones distintas
    .why = Los lanes solo se encuentran si la operación y la máscara son las mismas. Cada una de estas máscaras nombra lanes que esperan en otro lugar.
    .fix = haz que todos los lanes que nombra una máscara hagan la misma llamada{ $shuffles ->
        [true] {""}
       *[false] , o saca a los demás de la máscara
    }
outside-own-mask = un lane llama a una operación de warp con una máscara que lo deja fuera
    .why = No está definido qué recibe ese lane, ni si espera.
    .fix = { $come ->
        [unknown] llama solo en los lanes que la máscara nombra, o pon en la máscara a todos los que llaman
       *[other] { all-come }
    }
all-come = nombra todos los lanes que llegan a { $at ->
    [0] esta llamada
   *[other] la línea { $at }
}{ $whole ->
    [true] : 0xffffffff
   *[false] {""}
}{ $come ->
    [barrier] {""}
   *[other] . Si los lanes forman grupos, da a cada lane la máscara de su propio grupo
}
