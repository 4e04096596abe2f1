### Errores, y lo que una lección omite.

no-device = no hay un device donde ejecutar
device-does-not-start = { $name } no arranca
ptx-refused = el device no acepta el PTX de { $path }
no-device-runtime = en una GPU, los kernels que lanzan kernels necesitan el device runtime de NVIDIA, y aquí no hay { $library }. Viene con cada toolkit de CUDA: indica uno con CUDA_HOME, o descarga uno con `cargo toolkit install`
cannot-read = no se puede leer { $path }
replay-on-emulator = repetir necesita el emulador
needs-capability = { $row } necesita un device con compute capability { $major }.0
needs-one-capability = { $row } necesita un device con compute capability { $major }.{ $minor }: usa instrucciones que no tiene ningún otro, ni anterior ni posterior
tensor-map-refused = el driver no crea este tensor map: { $code }
tensor-map-too-large = la matriz de un tensor map tiene { $elements } elementos con su relleno, y el búfer tiene { $held }
unsupported = { $device ->
    [gpu] la GPU
   *[emulator] el emulador
} no lo admite
in-trial = al probar `{ $kernel }`
while-counting = al contar `{ $kernel }`
while-timing = al medir el tiempo de `{ $kernel }`
nothing-was-run = no se ejecutó nada
not-all-as-expected = { $unexpected } de { $count } { $count ->
    [one] kernel
   *[other] kernels
} { $unexpected ->
    [one] no hizo
   *[other] no hicieron
} lo que dice la lección
too-many = { $n } elementos son demasiados: el kernel cuenta hasta { $most }
sum-too-large = la suma de { $n } elementos no cabe en un int
too-small = `{ $kernel }` necesita al menos { $least } { $least ->
    [one] elemento
   *[other] elementos
}, y esta ejecución tiene { $size }
too-small-for-bug = el error de `{ $kernel }` necesita al menos { $least } { $least ->
    [one] elemento
   *[other] elementos
} para mostrarse, y esta ejecución tiene { $size }
skipped = omitido: { $why }
progress = { $kernel } [{ $bar }] { $done } de { $total } ejecuciones
progress-executions = { $kernel }: { $done } ejecuciones por ahora; Ctrl-C termina la búsqueda

input-unreadable = no se puede leer --input { $path }
input-empty = --input { $path } está vacío: no hay datos para trabajar
input-bytes = { $count } { $count ->
    [one] byte
   *[other] bytes
}
input-image = una imagen, { $width } x { $height } valores de gris
input-broken-image = { $count } bytes (empieza como una imagen, pero no se puede decodificar: { $why })
nothing-to-plot = no hay nada que dibujar: no se ejecutó ningún kernel de la figura
figure-unwritable = no se puede escribir la figura en { $path }
figure-is-in = La figura está en { $path }.

nothing-to-trace = no hay nada que registrar: no se ejecutó ningún kernel
while-tracing = al registrar `{ $kernel }`
page-unwritable = no se puede escribir la página en { $path }
page-is-in = La página de la ejecución { $run } es { $path }. Ábrela en un navegador.
page-run = Una ejecución: orden `{ $schedule }`, tamaño { $size }.
trace-unwritable = no se puede escribir la traza en { $path }
trace-is-in = La traza de la ejecución { $run } está en { $path }: { $kept } eventos.{ $is_cut ->
    [true] {" "}La ejecución tiene { $left_out } más.
   *[false] {""}
}

argument-count = `{ $kernel }` espera { $takes } { $takes ->
    [one] argumento
   *[other] argumentos
} y recibió { $given }; sus parámetros son ({ $types })
argument-size = el argumento { $number } de `{ $kernel }` tiene { $bytes } { $bytes ->
    [one] byte
   *[other] bytes
} (`{ $ty }`), pero el kernel declara { $declared } { $declared ->
    [one] byte
   *[other] bytes
} (`.{ $declared_ty }`){ $advice }
advice-int = ; un `int` es `as i32` en Rust, un `unsigned` es `as u32`
advice-float = ; un `float` es `f32` en Rust
advice-long = ; un `size_t` es `usize` en Rust, un `long long` es `i64`
advice-double = ; un `double` es `f64` en Rust
launch-refused = el driver rechazó el lanzamiento: { $code }
not-launched = `{ $kernel }` no se lanzó
