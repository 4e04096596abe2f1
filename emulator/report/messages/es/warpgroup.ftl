warpgroup-misused = { $misuse ->
    [incomplete] `{ $instruction }` en un warpgroup de { $number } threads
    [lanes-missing] `{ $instruction }` en un warp del que { $number ->
        [one] ya terminó { $number } thread
       *[other] ya terminaron { $number } threads
    }
    [lanes-differ] threads de un mismo warp llegan a `{ $instruction }` en líneas distintas
    [warps-differ] los warps de un warpgroup ejecutan instrucciones distintas en lugar de un mismo `{ $instruction }`
    [warp-ended] `{ $instruction }` sin el warp { $number } del warpgroup
    [descriptors-differ] los warps de un warpgroup dan descriptores de matriz distintos a `{ $instruction }`
    [lanes-descriptors-differ] los threads de un warp dan descriptores de matriz distintos a `{ $instruction }`
   *[scales-differ] los threads de un warp dan valores distintos de `scale-d` a `{ $instruction }`
}
    .why = { $misuse ->
        [incomplete] Un warpgroup son cuatro warps enteros de un bloque, 128 threads. El número del primero es múltiplo de 4.
        [lanes-missing] Los 128 threads de un warpgroup deben ejecutar la instrucción.
        [lanes-differ] Todos los threads de un warpgroup deben ejecutar la misma instrucción.
        [warps-differ] Los cuatro warps de un warpgroup deben ejecutar las mismas instrucciones de esta clase, en el mismo orden.
        [warp-ended] Los cuatro warps de un warpgroup deben ejecutar la instrucción. Este ya terminó.
        [descriptors-differ] Los cuatro warps calculan un solo producto, así que deben darle las mismas matrices.
        [lanes-descriptors-differ] El warpgroup calcula un solo producto, así que todos sus threads deben darle las mismas matrices.
       *[scales-differ] El warp suma a sus acumuladores entero, o no suma.
    }
    .fix = { $misuse ->
        [incomplete] lanza bloques cuyo número de threads sea múltiplo de 128
        [descriptors-differ] haz el descriptor con valores que compartan todos los threads del warpgroup, no con el número del warp
        [lanes-descriptors-differ] haz el descriptor con valores que compartan todos los threads del warpgroup, no con el número del thread
        [scales-differ] haz que la condición dependa de valores que compartan todos los threads
       *[other] lleva la instrucción adonde lleguen los 128 threads del warpgroup
    }
product-not-waited-for = { $accumulator ->
    [true] un acumulador de un `wgmma` se usa
   *[false] un registro que lee un `wgmma` se usa
} sin esperar a que termine el `wgmma`
    .why = `wgmma.mma_async` solo empieza el trabajo. Lee y escribe sus registros en cualquier momento hasta que { $committed ->
        [true] `wgmma.wait_group` haya esperado a su grupo.
       *[false] su grupo se cierre con `wgmma.commit_group` y `wgmma.wait_group` lo haya esperado.
    }
    .fix = { $committed ->
        [true] ejecuta `wgmma.wait_group` con un número menor antes de (2)
       *[false] ejecuta `wgmma.commit_group`, y después `wgmma.wait_group`, antes de (2)
    }
product-not-fenced = falta `wgmma.fence` después de escribir { $accumulator ->
    [true] un acumulador
   *[false] un registro
} que lee un `wgmma`
    .why = Un `wgmma.mma_async` accede a los registros por su cuenta. Solo `wgmma.fence` ordena antes de él los accesos anteriores a ellos.
    .fix = ejecuta `wgmma.fence` después de (1) y antes de (2)
first-product-not-fenced = falta `wgmma.fence` antes del primer `wgmma` de un warp
    .why = `wgmma.fence` debe ir antes del primer `wgmma.mma_async` de un warpgroup. Sin él, nada ordena antes los accesos anteriores a sus registros.
    .fix = ejecuta `wgmma.fence` antes de (1)
matrix-changed-early = (2) escribe una matriz que el `wgmma` de (1) quizá no ha leído aún
    .why = `wgmma.mma_async` solo empieza el trabajo. Puede leer sus matrices en cualquier momento hasta que sus threads hayan esperado a su grupo con `wgmma.wait_group`. Para otros threads debe seguir una barrera.
    .fix = haz que el warpgroup de (1) cierre su grupo y lo espere antes de (2): `wgmma.commit_group`, y después `wgmma.wait_group`. Otros threads, y las copias que inicien, necesitan además una barrera después
