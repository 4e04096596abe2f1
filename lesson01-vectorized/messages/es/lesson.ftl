### Lo que dice la propia lección 1: sus gráficas y su figura.

copy-rate = ladder: la copia del propio driver dentro del device: { $rate } GB/s, leídos y escritos
by-distance = { $kernel }: { $measure }, según el { $by ->
    [stride] paso (stride)
   *[offset] desplazamiento (offset)
} en ints
too-far = { $n } elementos a una distancia de { $by } son demasiados

figure = Lo que trae una lectura
by-width = Según el ancho del tipo
by-stride = Según el paso (stride)
by-offset = Según el desplazamiento (offset)
bytes-a-thread = bytes por thread
stride-in-ints = paso en ints
offset-in-ints = desplazamiento en ints
bytes-of-load = bytes de cada lectura de un warp
sectors-of-load = sectores de 32 bytes de cada lectura de un warp
rate = GB/s, leídos y escritos
