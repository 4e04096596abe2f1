### Lo que `bench` dice además de su tabla.

about = Tiempos de los kernels de las lecciones en una GPU, junto a CUB, Thrust y la copia del driver
option-quick = menos tamaños y menos rondas
option-check = sin tiempos: cada método en tamaños pequeños en la GPU emulada, y se comprueban sus respuestas
option-job = solo este trabajo; se puede dar varias veces
option-csv = escribe la tabla como CSV
option-json = escribe los tiempos y la máquina como JSON
option-merge = no mide nada; hace un informe de varios archivos JSON, con la mediana de todos
option-lang = el idioma de los mensajes: en o es
option-help = muestra esta ayuda
skipped = omitido: no hay GPU de NVIDIA ({ $why })
device = device: { $name }
note = nota: { $text }
wrong = respuesta incorrecta: { $what }
skipped-part = omitido: { $what }: { $why }
drift = la GPU no mantuvo su velocidad: la copia del driver alcanzó { $before } GB/s al principio y { $after } GB/s al final
busy = la GPU estaba en uso antes de empezar la medición: { $percent } % del tiempo
slowed = la GPU bajó sus relojes durante la medición: { $reasons }
filled-differ = { $method }, { $side } x { $side }: llenar rectángulos según su borde cambia { $differ } de { $pixels } píxeles
too-cheap = { $kernel } con { $threads } threads por bloque: la diferencia con la ejecución sin barrera es demasiado pequeña para medirla
not-in-all = no está en todos los archivos: { $row }
no-folder = la carpeta { $folder } no existe
cannot-write = no se puede escribir { $file }
error = error: { $why }
all-right = todas las respuestas son correctas
some-wrong = { $count } respuestas son incorrectas o faltan
