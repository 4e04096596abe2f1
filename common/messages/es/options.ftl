### La línea de órdenes: lo que dice --help y lo que está mal en una opción.

about = { $lesson }, en una GPU o en el emulador
exit-status = Código de salida: 0 si todo ocurrió como dice la lección, 1 si no, 2 si los argumentos son incorrectos.

option-device = Dónde ejecutar: auto (la GPU si hay una que acepta nuestros kernels, si no el emulador), gpu o emulator [por defecto: $LESSON_DEVICE, o auto]
option-seeds = Emulador: las semillas de los órdenes aleatorios, desde FIRST hasta END sin incluirla [por defecto: 0..64, menos en un catálogo]
option-seed = Emulador: solo este orden aleatorio
option-schedule = Emulador: solo este orden de ejecución. in-order: un warp después de otro. reverse: el último primero. random: al azar, y a veces divide un warp. pct: pocos cambios de prioridades aleatorias. adversarial: divide en cualquier lugar y lee valores antiguos
option-only = Solo esta fila. Puedes repetir la opción
option-replay = Emulador: repite exactamente una ejecución, la que nombra un informe
option-list = Lista las filas y sus kernels
option-explain = Explica un tipo de hallazgo, con un ejemplo. Sin SLUG, los lista
option-verbose = Muestra todos los hallazgos, y más sobre cada uno
option-lang = Idioma: en o es [por defecto: $LESSON_LANG, o el del sistema]
option-n = Número de elementos, en lugar del propio de cada fila
option-input = Un archivo que leen, como bytes, las filas que usan datos reales
option-counters = Emulador: cuenta lo que hace cada kernel, en orden, por kernel y por línea
option-exhaust = Emulador: recorre todas las ejecuciones que permite el modelo de memoria, con unos pocos hilos
option-lean = Con --exhaust: decir qué barreras, fences y ámbitos no hacen falta con este tamaño
option-plot = Escribe la figura de la lección en este archivo, un .svg o un .png
option-trace = Emulador: escribe en este archivo lo que pasó en una ejecución, en orden: la de --replay o, sin él, la que repite el primer informe. Un nombre en .json, o en .perfetto.json para Perfetto
option-web = Emulador: escribe una página en la que se ve y se recorre esa ejecución, para un navegador. Un nombre en .html
option-leaks = Emulador: nombra la memoria que sigue reservada cuando termina un contexto
option-no-try = Emulador: no probar correcciones
option-format = Cómo mostrar los resultados: text, json (un objeto, siempre en inglés) o sarif (un formato JSON que los editores pueden mostrar) [por defecto: text]
option-help = Muestra la ayuda

no-language = no hay idioma `{ $code }`: en, es
not-a-size = escribe un número entero, 0 o más, solo con cifras, como 1000000
not-a-seed = escribe un número entero, 0 o más, como 7
not-a-range = escribe dos números enteros, FIRST..END, como 0..64
empty-range = { $first }..{ $end } no contiene ninguna semilla. El final no es parte del rango
figure-ending = escribe un nombre que termine en .svg o .png
trace-ending = escribe un nombre que termine en .json, o en .perfetto.json para Perfetto
page-ending = escribe un nombre que termine en .html

kernel-is-no-row = `{ $kernel }` es un kernel de la fila `{ $row }`: --only { $row }
no-row = no hay fila `{ $name }`: { $rows }
no-kernel = esta lección no tiene el kernel { $kernel }/{ $variant }. --list los muestra
replay-on-gpu = repetir necesita el emulador: una GPU no tiene semilla
trace-on-gpu = { $option } necesita el emulador: una GPU no dice el orden de sus accesos
trace-unchecked = { $option } necesita todas las comprobaciones
trace-too-large = { $option } admite ejecuciones de hasta { $most } elementos, y esta tiene { $size }
trace-unwritable-why = { $option } no puede escribir { $path }: { $why }
replay-not-selected = esta repetición es de la fila `{ $row }`, y --only nombra { $only }
not-at-size = la fila `{ $row }` no se ejecuta con tamaño { $size }
n-too-small = --n { $n } es demasiado pequeño para todas las filas elegidas
no-seed = el orden { $schedule } no usa semilla
n-without-effect = --n no tiene efecto: todas las filas elegidas tienen tamaño fijo
plot-without-folder = no existe la carpeta { $folder } para la figura
plot-without-effect = --plot no tiene efecto: ninguna fila elegida tiene figura
input-without-effect = --input no tiene efecto: ninguna fila elegida lee un archivo

# clap los dice por sí mismo solo en inglés.
