### Accesos fuera de la memoria del kernel.

out-of-bounds = fuera de límites: { $side ->
    [wrapped] el índice se desborda en 32 bits: { $access } en { $place }
   *[other] { $access } en { $place }
}
    .why = { $side ->
        [wrapped] El índice se calculó en 32 bits. Es demasiado grande para ellos, y se volvió negativo.
        [before] El índice es menor que 0, así que la dirección está antes del principio de la memoria.
        [past] El índice es demasiado grande, así que la dirección está después del final de la memoria.
       *[nothing] No hay memoria cerca de esta dirección: el puntero o el índice es incorrecto.
    }
    .fix = { $side ->
        [wrapped] calcula el índice en 64 bits: convierte un operando a `size_t` o `long long` antes de la multiplicación
        [before] comprueba que el índice no es menor que 0 antes del acceso
        [past] { $launch_sizes ->
            [true] si el índice es correcto, da más memoria compartida al lanzamiento: `{ $near }` tiene los bytes que dice el tercer argumento de `<<< >>>`
           *[false] comprueba el índice antes del acceso, como en `if (i < n)`
        }
       *[nothing] comprueba de dónde viene el puntero, y compara el índice con el tamaño
    }
read-only = { $access } cambia memoria constante: { $variable }
    .why = Los kernels solo pueden leer la memoria `__constant__`. Una GPU puede hacer la escritura, y los threads pueden leer aún el valor antiguo de una caché.
    .fix = usa una variable `__device__`, o escribe la constante desde el host: `cudaMemcpyToSymbol()`
outside-array = fuera de límites: { $access } en { $place }
    .why = La dirección se calcula a partir de `{ $array }`. Un índice no debe llevar de un array a otro, aunque allí haya memoria.
    .fix = compara el índice con el tamaño de `{ $array }` antes del acceso
misaligned = mal alineado: { $access } de { $bytes } bytes en { $breaks ->
    [index] { $at }, cuyo desplazamiento de { $offset ->
        [one] 1 byte
       *[other] { $offset } bytes
    } no es múltiplo de { $bytes }
    [byte] el byte { $offset } de { $near }, y { $offset } no es múltiplo de { $bytes }
    [unknown] { $in_buffer ->
        [true] el byte { $offset } de un buffer, y { $offset } no es múltiplo de { $bytes }
       *[false] una dirección que no es múltiplo de { $bytes }
    }
   *[other] { $named ->
        [true] { $at }
       *[false] el byte { $offset } de { $near }
    }, cuya dirección no es múltiplo de { $bytes }
}
    .why = Una GPU accede a { $bytes } bytes solo en direcciones que son múltiplos de { $bytes }.{ $breaks ->
        [pointer] { " " }El puntero a { $near } está { $start ->
            [one] 1 byte
           *[other] { $start } bytes
        } después de un múltiplo así.
        [variable] { " " }{ $near } empieza { $start ->
            [one] 1 byte
           *[other] { $start } bytes
        } después de un múltiplo así.
       *[other] { "" }
    }
    .fix = { $breaks ->
        [index] empieza este acceso en un elemento cuyo índice sea múltiplo de { $per }, y accede uno a uno a los elementos anteriores
        [byte] empieza este acceso en un byte cuyo desplazamiento sea múltiplo de { $bytes }, o accede a los bytes uno a uno
        [pointer] pasa un puntero cuya dirección sea múltiplo de { $bytes }, o accede a los elementos uno a uno hasta una dirección así
        [variable] declara { $near } con `__align__({ $bytes })`, o accede a sus elementos uno a uno
       *[unknown] empieza este acceso en una dirección que sea múltiplo de { $bytes }, o accede a los elementos uno a uno
    }
before-peer-starts = { $access } en memoria compartida del bloque { $block }, que puede no haber empezado
    .why = Los bloques de un clúster empiezan en momentos distintos. Nada ordena el comienzo del bloque { $block } antes de este acceso.
    .fix = pon un `cluster.sync()` que alcancen todos los threads del clúster antes del primer acceso a la memoria de otro bloque
after-peer-ends = { $access } en memoria compartida del bloque { $block }, que puede haber terminado
    .why = La memoria compartida de un bloque termina con su último thread. { $own ->
        [true] Ningún thread del bloque espera hasta que acabe la copia.
       *[false] Nada ordena este acceso antes del final del bloque { $block }.
    }
    .fix = { $own ->
        [true] espera la copia antes de que termine el kernel: su grupo bulk, o la fase de su barrera
       *[false] pon un `cluster.sync()` que alcancen todos los threads del clúster después del último acceso a la memoria de otro bloque
    }
use-after-free = uso de memoria liberada: { $access } en memoria que ya se liberó
    .why = { $heap ->
        [true] Un thread liberó esta memoria antes del acceso.
       *[false] El host liberó esta memoria antes del lanzamiento.
    }
    .fix = { $heap ->
        [true] llama a `free` después del último uso
       *[false] libera el buffer cuando haya terminado el último lanzamiento que lo usa
    }
no-image = { $surface ->
    [true] un acceso a una superficie con { $handle }, que no es un objeto de superficie
   *[false] una lectura de una textura con { $handle }, que no es un objeto de textura
}
    .why = { $surface ->
        [true] Una función de superficies necesita el valor que dio `cudaCreateSurfaceObject`, mientras no se destruya.
       *[false] Una función de texturas necesita el valor que dio `cudaCreateTextureObject`, mientras no se destruya.
    }
    .fix = { $surface ->
        [true] pasa el `cudaSurfaceObject_t`, y destrúyelo después del último lanzamiento que lo usa
       *[false] pasa el `cudaTextureObject_t`, y destrúyelo después del último lanzamiento que lo usa
    }
outside-surface = { $access } fuera de una superficie: { $axis ->
    [x] x es { $at }, y una fila tiene { $size } bytes
    [y] y es { $at }, y la superficie tiene { $size } filas
    [z] z es { $at }, y la superficie tiene { $size } capas de profundidad
   *[layer] la capa es { $at }, y la superficie tiene { $size } capas
}
    .why = Con `cudaBoundaryModeTrap`, el modo por defecto, un acceso fuera de la superficie termina el kernel.
    .fix = { $axis ->
        [x] comprueba x antes del acceso. En las funciones de superficies x cuenta bytes: multiplica el índice por el `sizeof` del elemento
       *[y] compara la coordenada con el tamaño antes del acceso
    }
freed-twice = un segundo `free` de un bloque de { $bytes } bytes
    .why = Un thread ya ha liberado esta memoria.
    .fix = llama a `free` una vez por cada `malloc`, y después asigna null al puntero
freed-foreign = un `free` de una dirección que `malloc` no devolvió
    .why = En el device, `free` solo acepta la primera dirección de memoria que reservó el device.
    .fix = guarda el puntero que devolvió `malloc` o `new`. El host libera lo que reservó el host
host-freed-twice = el host libera dos veces la misma memoria
    .why = Una dirección es válida desde su reserva hasta que se libera por primera vez.
    .fix = haz que la libere un solo dueño: un `DeviceBuffer`, o un `cudaFree`
no-code = { $entries ->
    [0] una llamada con un puntero que no apunta a ninguna función
   *[other] un salto con un índice fuera de su tabla de { $entries } entradas
}
    .why = No hay código en esa dirección.
    .fix = comprueba el índice o el puntero antes del salto
stack-used-up = { $by_call ->
    [true] una llamada no cabe en la pila del thread
   *[false] una reserva no cabe en la pila del thread
}
    .why = Un thread tiene { $bytes } bytes de memoria local, y como máximo { $most } llamadas anidadas.
    .fix = termina antes la recursión, o guarda menos en arrays locales
outside-memory = una dirección que no es de ninguna memoria { $space }
