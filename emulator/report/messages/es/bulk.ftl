tensor-copy = { $misuse ->
    [no-map] una copia de un tensor no tiene un mapa de tensor de su rango
    [local-map] una copia lee su mapa de tensor de la memoria local
    [box-row] una caja empieza dentro de una unidad de 16 bytes, en la coordenada { $coordinate }
    [box-below] una escritura empieza en la coordenada negativa { $coordinate }
   *[reduction] los elementos de este tensor no tienen esta reducción
}
    .why = { $misuse ->
        [no-map] Los bytes de ahí no son lo que hace `cuTensorMapEncodeTiled`, o el mapa tiene otro número de dimensiones.
        [local-map] Un mapa de tensor debe estar en memoria global, constante o de parámetros. Sin `__grid_constant__`, un parámetro del kernel cuya dirección se toma se copia a la memoria local.
        [box-row] La primera coordenada por el tamaño de un elemento debe ser un múltiplo de 16 bytes. Una GPU termina el lanzamiento con una instrucción ilegal.
        [box-below] Una lectura puede empezar fuera del tensor, y rellena lo que hay ahí. Una escritura no: una GPU termina el lanzamiento con una instrucción ilegal.
       *[reduction] El ISA de PTX tiene una tabla de las reducciones de cada tipo.
    }
    .fix = { $misuse ->
        [no-map] pasa el mapa como parámetro `const __grid_constant__ CUtensorMap`, hecho para tantas dimensiones como nombra la copia
        [local-map] declara el parámetro `const __grid_constant__ CUtensorMap`
        [box-row] usa una primera coordenada que sea múltiplo de { $count }
        [box-below] empieza la escritura dentro del tensor, y omite la parte de abajo
       *[reduction] usa una operación de esa tabla, u otro tipo de elemento
    }
map-fence-missing = { $missing ->
    [release] falta un fence de release para el mapa de tensor
    [acquire] falta un fence de acquire para el mapa de tensor
   *[both] faltan los fences para el mapa de tensor
} entre la escritura (1) y la copia de tensor (2)
    .why = Una copia de tensor lee su mapa por el proxy tensormap, que puede tener aún el mapa anterior. Además del orden habitual, dos fences deben entregar el mapa nuevo: un release después de (1), y un acquire de este mapa antes de (2). { $missing ->
        [release] Ningún release cubre (1).
        [acquire] El thread de (2) no ha pasado ningún acquire de este mapa desde el release.
       *[both] Faltan los dos.
    }
    .fix = { $missing ->
        [release] `fence.proxy.tensormap::generic.release.gpu` después de (1), en cada thread que escribe el mapa. `tensormap.cp_fenceproxy` copia un mapa e incluye este fence
        [acquire] `fence.proxy.tensormap::generic.acquire.gpu [map], 128` antes de (2), una vez que los threads que escriben el mapa han hecho el release
       *[both] `fence.proxy.tensormap::generic.release.gpu` después de (1), en cada thread que escribe el mapa. Después, `fence.proxy.tensormap::generic.acquire.gpu [map], 128` antes de (2)
    }
unordered-expect = una fase de { $object } puede completarse antes de que se anuncien todos sus bytes
    .why = `expect_tx` cuenta para la fase actual. Ninguna llegada de esa fase sucede después de (1). Con otra planificación la fase se completa sin estos bytes, y los threads que la esperan leen demasiado pronto.
    .fix = anuncia los bytes en el thread que llega, antes de llegar o con `mbarrier.arrive.expect_tx`, o pon `__syncwarp()` o `__syncthreads()` entre (1) y (2)

expects-bytes = anuncia bytes en esta fase
copies-box = { $who } { $count ->
    [one] copia
   *[other] copian
} una caja en la coordenada { $coordinate }
copies-tensor = { $who } { $count ->
    [one] copia
   *[other] copian
} una caja de un tensor
