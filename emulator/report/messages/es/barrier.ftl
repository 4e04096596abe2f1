### Barreras mal usadas.

no-such-barrier = no existe la barrera { $number }
    .why = Un bloque tiene dieciséis barreras, de 0 a 15.
    .fix = usa un número de 0 a 15
barrier-count = { $count ->
    [0] unos threads llegan a una barrera sin decir cuántos threads participan
   *[other] una barrera cuenta { $count } threads, que no es un número de warps enteros
}
    .why = { $count ->
        [0] Un thread que llega y no espera debe decir cuántos threads participan.
       *[other] En una barrera participan warps enteros, así que su cuenta es un múltiplo de 32.
    }
    .fix = { $count ->
        [0] cuenta los threads que llegan y los que esperan, en warps enteros
       *[other] usa el siguiente múltiplo de 32. Los threads que han terminado cuentan con su warp
    }
arrives-twice = un thread llega dos veces a una barrera antes de que se complete
    .why = Un thread que llega y no espera no debe volver a llegar antes de que la barrera se complete.
    .fix = haz que el thread espere en una segunda barrera hasta que se complete la primera
waits-unarrived = un thread espera en la barrera de su clúster sin haber llegado a ella
    .why = La barrera se completa cuando han llegado todos los threads del clúster. Este thread se espera a sí mismo, así que espera para siempre.
    .fix = llama a `cluster.barrier_arrive()` antes de esperar, o a `cluster.sync()` en lugar de las dos cosas
counts-differ = unos warps dan a una misma barrera cuentas distintas de threads
    .why = Todos los threads que participan en una barrera deben dar la misma cuenta.
    .fix = da una sola cuenta a la barrera, o usa dos barreras
reductions-differ = una barrera con voto se encuentra con una sin voto, o con otro voto
    .why = Todos los threads que participan en una barrera con voto deben usar la misma clase de voto.
    .fix = usa la misma función de barrera en todos los caminos, o barreras con números distintos
barrier-object = { $misuse ->
    [no-object] { $object } se usa como barrera sin inicializar
    [count] { $object } debe esperar { $count } llegadas
    [too-many] llegan más threads de los que espera la barrera: { $object }
    [still-valid] una barrera válida { $overwritten ->
        [true] se sobrescribe
       *[false] se inicializa otra vez
    }: { $object }
    [other-block] una copia avisa a una barrera de otro bloque que el de su destino: { $object }
    [bulk-size] una copia bulk de { $count } bytes, que no es múltiplo de 16
    [completes] una llegada con `.noComplete` completa una fase de la barrera: { $object }
   *[transactions] la cuenta de transacciones de la barrera está fuera de rango: { $object }
}
    .why = { $misuse ->
        [no-object] Ahí nunca se inicializó un objeto barrera, o el que había se invalidó o se sobrescribió.
        [count] Un objeto barrera espera de 1 a { $most } llegadas.
        [too-many] La barrera se inicializó para menos threads de los que llegan en una fase.
        [still-valid] Un objeto barrera en uso se debe invalidar antes de que su memoria tenga otra cosa, también una barrera nueva. Si no, el ISA de PTX deja el comportamiento indefinido.
        [other-block] El ISA de PTX pide el destino y el objeto barrera en la memoria compartida de un mismo bloque.
        [bulk-size] Las copias bulk mueven unidades enteras de 16 bytes. Otro tamaño es comportamiento indefinido.
        [completes] `.noComplete` promete que aún hay otras llegadas pendientes.
       *[transactions] Una fase cuenta como máximo { $most } transacciones.
    }
    .fix = { $misuse ->
        [no-object] inicializa la barrera en un thread, después { $in_cluster ->
            [true] `cluster.sync()`
           *[false] `__syncthreads()`
        }, y después úsala
        [count] cuenta los threads que llegan en cada fase
        [too-many] inicializa la barrera con las llegadas de una fase, y haz que los threads esperen antes de volver a llegar
        [still-valid] { $overwritten ->
            [true] ejecuta
           *[false] conserva la barrera y espera su fase siguiente, o ejecuta
        } `mbarrier.inval` (`~barrier()`) después de su último uso y antes de (2)
        [other-block] lleva también la dirección de la barrera al bloque del destino, con `mapa`
        [bulk-size] copia un múltiplo de 16 bytes, y el resto con lecturas y escrituras normales
        [completes] haz que la última llegada sea una sin `.noComplete`
       *[transactions] espera en cada fase tantas transacciones como se completan en ella
    }
barrier-divergence = threads de un mismo warp llegan a { $barrier ->
    [0] `__syncthreads()`
   *[other] la barrera { $barrier }
} { $one_line ->
    [true] por caminos distintos o en iteraciones distintas
   *[false] en líneas distintas
}
    .why = Una barrera como `__syncthreads()` puede estar en una rama solo si todos los threads la toman. Aquí se emparejan dos barreras distintas, y puede pasar con todas las siguientes.
    .fix = saca la barrera de la rama, para que todos los threads lleguen a la misma{ $in_loop ->
        [true] , y haz que todos repitan el bucle las mismas veces
       *[false] {""}
    }
warps-at-different-barriers = los warps de un bloque se encuentran en { $one_line ->
    [true] dos `__syncthreads()` distintos de una línea
   *[false] `__syncthreads()` de líneas distintas
}
    .why = La guía de programación de CUDA permite `__syncthreads()` en una rama solo si todos los threads del bloque la toman. PTX deja que estos warps se emparejen, y la siguiente barrera puede emparejar mal.
    .fix = saca la barrera de la rama, para que todos los threads del bloque lleguen a la misma
barrier-in-branch = { $lanes ->
    [true] algunos threads de un warp esperan en una barrera que los demás se saltan
   *[false] algunos warps de un bloque esperan en un `__syncthreads()` que los demás se saltan
}
    .why = { $lanes ->
        [true] Un warp debe llegar a una barrera así con todos sus threads que no han terminado. Estos threads toman caminos distintos y se reúnen después, así que una parte pasa una barrera sin la otra.
       *[false] La guía de programación de CUDA permite `__syncthreads()` en una rama solo si todos los threads del bloque la toman. PTX deja que los demás warps se la salten, y la siguiente barrera puede emparejar mal.
    }
    .fix = { $loops ->
        [true] haz que todos los threads repitan el bucle las mismas veces, o saca la barrera del bucle
       *[false] saca la barrera de la rama, para que todos los threads lleguen a ella
    }
left-before-barrier = algunos threads de un bloque salen del kernel antes de un `__syncthreads()` al que llegan los demás
    .why = La guía de programación de CUDA permite `__syncthreads()` en código condicional solo si la condición es igual en todo el bloque. Desde la capacidad de cómputo 7.0 la barrera solo espera a los threads que no han terminado.
    .fix = haz que todos los threads del bloque lleguen a la barrera: pon la condición alrededor del trabajo, en lugar de un `return`
