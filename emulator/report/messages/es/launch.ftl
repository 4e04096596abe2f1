### Lanzamientos rechazados.

not-cooperative = `grid.sync()` en un lanzamiento que no es cooperativo
    .why = Solo un lanzamiento cooperativo promete que todos los bloques se ejecutan a la vez. En otro, unos bloques pueden esperar a uno que no puede empezar.
    .fix = lánzalo con `cuLaunchCooperativeKernel`. El número de bloques no debe pasar de `cuOccupancyMaxActiveBlocksPerMultiprocessor` multiplicado por el número de multiprocesadores
launch-failed = el lanzamiento de { $kernel } falló, y el kernel no lo comprobó: { $reason }
    .why = El lanzamiento dio { $error }. Solo lo sabe un thread que pregunta por el error.
    .fix = corrige el lanzamiento. Llama después a `cudaGetLastError()`, y entrega el error al host
pointer-to-own-memory = el argumento { $number } de `{ $kernel }` apunta a memoria { $space ->
    [shared] compartida
    [local] local
   *[other] { $space }
} del padre
    .why = Un grid hijo tiene su propia memoria { $space ->
        [shared] compartida
        [local] local
       *[other] { $space }
    }. La misma dirección es allí otra variable.
    .fix = pasa memoria global: un buffer que reservó el host, o una variable `__device__`
a-kernel = un kernel
refused-no-kernel = el puntero no apunta a un kernel
refused-no-buffer = no existe ese buffer
refused-no-stream = este grid no creó el stream, o ya fue destruido
refused-too-deep = los lanzamientos están anidados { $most } niveles, tantos como pueden estar pendientes, y cada uno espera al siguiente
refused-too-many = hay { $most } lanzamientos pendientes, el máximo de cudaLimitDevRuntimePendingLaunchCount, y ninguno puede empezar
refused-grid = grid.{ $axis } es { $blocks }, y debe estar entre 1 y { $most }
refused-block = block.{ $axis } es { $threads }, y debe estar entre 1 y { $most }
refused-threads = el bloque tiene { $threads } threads, `{ $kernel }` permite { $most }
refused-required-block = `{ $kernel }` exige bloques de { $block }
refused-required-cluster = `{ $kernel }` exige clústeres de { $cluster } bloques
refused-missing-cluster = `{ $kernel }` necesita un lanzamiento que dé el tamaño de sus clústeres
refused-cluster = un clúster tiene { $blocks } bloques, y debe tener entre 1 y { $most }
refused-grid-of-clusters = grid.{ $axis } es { $blocks }, que no es múltiplo de los { $cluster } bloques del clúster
refused-shared-memory = el bloque necesita { $bytes } bytes de memoria compartida, se permiten como máximo { $most }
refused-nothing-fits = ni un solo bloque de `{ $kernel }` cabe en un multiprocesador
refused-cooperative = un lanzamiento cooperativo de { $blocks } bloques, pero solo caben { $resident } a la vez
refused-no-memory = { $needed_for ->
    [parameters] al host no le queda memoria
    [launches] no queda memoria para lanzamientos hechos por kernels
   *[barrier] no queda memoria para la barrera del grid
}
