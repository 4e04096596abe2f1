### Lo que se hizo en un extremo de un hallazgo: lo que sigue a `(1)`.

## Accesos a memoria

reads = lee { $what }
reads-it = lo lee
writes = escribe { $what }
writes-it = lo escribe
updates = { $operation ->
    [add] hace una suma atómica de
    [and] hace un `and` atómico con
    [or] hace un `or` atómico con
    [xor] hace un `xor` atómico con
    [exchange] hace un intercambio atómico con
    [compare] hace un compare-and-swap atómico que espera
    [increment] hace un incremento atómico con límite
    [decrement] hace un decremento atómico con límite
    [min] hace un `min` atómico con
   *[max] hace un `max` atómico con
} { $operand }
updates-it = lo actualiza de forma atómica
updates-to = lo actualiza de forma atómica: ahora vale { $value }
starts-copy-from = empieza una copia asíncrona desde él
starts-copy-to = empieza una copia asíncrona hacia él
starts-product-from = inicia un `wgmma` que lo lee
starts-product = inicia un `wgmma`
reads-register = lee uno de sus registros
writes-register = escribe uno de sus registros
initializes-it = lo inicializa
initializes-again = lo inicializa otra vez
overwrites-it = lo sobrescribe
invalidates-it = lo invalida
tests-its-phase = consulta su fase
arrives-at-it = llega a él
uses-it = usa ese valor
in-earlier-launch = { $action } en `{ $kernel }`, un lanzamiento anterior
in-kernel = { $action } en `{ $kernel }`
host-does = { $operation } { $does ->
    [writes] lo escribe
    [allocates] da comienzo a la vida de la memoria
    [frees] termina la vida de la memoria
   *[reads] lo lee
}
host-reads = el host lee { $bytes } bytes, desde el byte { $from }
frees-again = lo libera por segunda vez
frees-it = lo libera
accesses = { $kind ->
    [load] lee
    [store] escribe
    [update] actualiza
    [copy] copia
   *[any] accede a
} { $bytes ->
    [one] 1 byte
   *[other] { $bytes } bytes
}

one = { $kind ->
    [load] una lectura
    [store] una escritura
    [atomic] una operación atómica
    [copy] una copia asíncrona
    [object] un objeto barrera
   *[any] un acceso
}
two = { $kind ->
    [load] dos lecturas
    [store] dos escrituras
    [atomic] dos operaciones atómicas
    [copy] dos copias asíncronas
    [object] dos usos de un objeto barrera
   *[any] dos accesos
}
host-operation = { $operation ->
    [to-host] una copia al host
    [from-host] una copia desde el host
    [from-pageable] un `cudaMemcpy()` desde memoria paginable del host
    [on-device] una copia dentro del device
    [allocate] la reserva de `cudaMallocAsync()`
    [free] la liberación de `cudaFreeAsync()`
    [condition] el nodo condicional de un grafo
    [read] una lectura del host
    [write] una escritura del host
   *[fill] un relleno de memoria
}

## Valores sin inicializar

decides = usa ese valor para { $what }
decision = { $what ->
    [branch] una rama
    [condition] una condición
    [call] una llamada
    [address] una dirección
    [atomic] una operación atómica
    [mask] una máscara de lanes
    [vote] un voto en una barrera
    [number] el número de una barrera
    [count] la cuenta de una barrera
    [phase] la fase de una barrera
    [stack] el tamaño de una pila
   *[copy] el tamaño de una copia
}
gets-active-mask = recibe la máscara { $mask } de `__activemask()`: ahora aquí solo { $count ->
    [one] se ejecuta
   *[other] se ejecutan
} { $lanes }
gets-its-mask = recibe su máscara de `__activemask()`
takes-no-thread = toma el valor del lane { $lane }, donde no hay ningún thread
takes-ended = toma el valor del lane { $lane }, que terminó sin esta llamada
takes-not-named = lee el lane { $lane }, fuera de la máscara { $mask }
writes-result = escribe el resultado

## Barreras y esperas

reaches = { $who } { $count ->
    [one] llega
   *[other] llegan
} a { $what }
grid-barrier = la barrera del grid
barrier-number = { $number ->
    [0] la barrera del bloque
   *[other] la barrera { $number }
}
a-barrier = una barrera
goes-around = { $who } { $count ->
    [one] toma
   *[other] toman
} aquí otro camino, sin la barrera
leaves-kernel = { $who } { $count ->
    [one] sale
   *[other] salen
} aquí del kernel
warp-reaches = el warp { $warp } llega aquí a ella
gives-count = { $who } { $count ->
    [one] da
   *[other] dan
} una cuenta de { $given }
misuses = { $who } { $what ->
    [whole-block] { $count ->
        [one] espera
       *[other] esperan
    } a todo el bloque
    [arrived-first] { $count ->
        [one] llega
       *[other] llegan
    } primero
    [arrived-again] { $count ->
        [one] llega
       *[other] llegan
    } otra vez
    [waited-unarrived] { $count ->
        [one] espera
       *[other] esperan
    } sin haber llegado
    [came-first] { $count ->
        [one] viene
       *[other] vienen
    } primero
   *[another-operation] { $count ->
        [one] viene
       *[other] vienen
    } con otra operación
}
arrives-too-often = { $who } { $count ->
    [one] llega
   *[other] llegan
} { $come } veces, pero { $pending ->
    [one] hay una llegada pendiente
   *[other] hay { $pending } llegadas pendientes
}
copies-bytes = { $who } { $count ->
    [one] empieza
   *[other] empiezan
} una copia bulk de { $bytes } bytes
misuses-object = { $who } { $what ->
    [other-block] { $count ->
        [one] empieza
       *[other] empiezan
    } la copia
    [no-object] lo { $count ->
        [one] usa
       *[other] usan
    }
    [completes] { $count ->
        [one] llega
       *[other] llegan
    } con `.noComplete`
   *[transactions] { $count ->
        [one] cambia
       *[other] cambian
    } su número de transacciones
}
calls-with-mask = { $who } { $count ->
    [one] llama
   *[other] llaman
} a `{ $function }` con la máscara { $mask }
in-block = bloque { $block }, { $who }
waits-at = { $who } { $count ->
    [one] espera
   *[other] esperan
} en { $what }
waits-until = { $who } { $count ->
    [one] espera
   *[other] esperan
} en { $what }: hay { $come } de { $expected } threads
waits-at-mask = { $who } { $count ->
    [one] espera
   *[other] esperan
} en `{ $function }` (máscara { $mask })
loops-here = { $who } { $count ->
    [one] repite
   *[other] repiten
} este bucle
reads-again-and-again = { $who } { $count ->
    [one] lee
   *[other] leen
} aquí una y otra vez: { $what }
set-before = { $deed }; puso { $name } (línea { $line })
waits-for = { $does } { $is_counted ->
    [true] a los que están en { $places }
   *[false] a { $places }
}
memory-there = la memoria
finds-value = { $place } vale { $value }
finds-missing = { $count ->
    [one] falta una llegada en { $place }
   *[other] faltan { $count } llegadas en { $place }
}
finds-bytes-missing = { $count ->
    [0] no falta ninguna llegada en { $place }, pero aún espera { $size } bytes
    [one] falta una llegada en { $place }, y { $size } bytes
   *[other] faltan { $count } llegadas en { $place }, y { $size } bytes
}
finds-surplus = { $count ->
    [0] no falta ninguna llegada en { $place }, pero han llegado { $size } bytes más de los que espera
    [one] falta una llegada en { $place }, y han llegado { $size } bytes más de los que espera
   *[other] faltan { $count } llegadas en { $place }, y han llegado { $size } bytes más de los que espera
}
sets = pone { $name } en { $value }
sets-it = lo pone en { $value }
and-ended = , y ha terminado
and-stands-at = , y ahora está en ({ $number })
of-block = del bloque { $block }{" "}
writes-last = fue el último en escribir lo que los otros leen

## Llamadas y lanzamientos

takes-entry = toma la entrada { $entry }
calls-it = lo llama
calls-deep = hace la llamada { $depth } de una cadena
allocates-on-stack = reserva memoria en su pila
launches-and-fails = lanza { $kernel }: { $error }
launches-with-pointer = lanza `{ $kernel }` con un puntero a memoria { $space ->
    [shared] compartida
    [local] local
   *[other] { $space }
}

## Avisos

active-mask-gave = recibe { $mask } de `__activemask()`: { $named } de los { $live } lanes que siguen en ejecución
shuffle-gives-back = { $lanes } { $count ->
    [one] recibe su propio valor: lee de un lane que no existe
   *[other] reciben sus propios valores: leen de lanes que no existen
}
lanes = { $count ->
    [one] el lane { $list }
   *[other] los lanes { $list }
}
fails-to-swap = encuentra un valor distinto del que espera y no cambia nada{ $more ->
    [0] {""}
    [one] {", igual"} que otra más
   *[other] {", igual"} que otras { $more }
}

## Threads, valores y listas

thread-of-warp = { $names_block ->
    [true] bloque { $block }, thread { $thread }
   *[false] el thread { $thread }
} ({ $names_lane ->
    [true] warp { $warp }, lane { $lane }
   *[false] warp { $warp }
})
threads = { $count ->
    [one] el thread { $list }
   *[other] los threads { $list }
}
blocks = { $count ->
    [one] el bloque { $list }
   *[other] los bloques { $list }
}
run-of-threads = { $first } a { $last }
and-more = { $list } y { $count ->
    [one] otro más
   *[other] otros { $count }
}
stale = { $value }, un valor anterior
unwritten = { $value } (nunca escrito)
as-float = { $bits } (como float { $value })
as-double = { $bits } (como double { $value })
and = { $first } y { $last }
or = { $first } o { $last }
