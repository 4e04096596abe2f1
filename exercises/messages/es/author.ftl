### For authors: `new`, `verify`, packs.

topic-without-file = { $name } no tiene topic.toml
topic-order-lacks = { $name }/{ $found } no está en el orden del tema
topic-without-readme = { $name } no tiene README.md

new-unreadable = escribe `{ $name }` así: 02_sync/who_wins, el tema y después el nombre del ejercicio
new-bad-name = `{ $name }` no es un nombre para el { $is_topic ->
    [true] tema
   *[false] ejercicio
}: usa hasta { $most } letras minúsculas, dígitos y `_`, con una letra o un dígito al principio
new-name-taken = un ejercicio no se puede llamar `{ $name }`: elige un nombre para el error o la idea, por ejemplo missing_barrier
new-is-there = { $path } ya existe
new-same-name = `{ $name }` ya tiene este nombre, y los estudiantes escriben solo el nombre
new-cannot-add = no se puede agregar `{ $name }` a { $path }
new-no-order = no tiene una lista `order`
new-made = { $folder } es un ejercicio pequeño del tipo `{ $kind }` que funciona
new-also = también se escribió { $file }
new-not-stored = Sin compilador no se guarda su PTX; `{ $command } verify { $name } --store` lo hace después
new-next = Cámbialo y comprueba que cumple lo que promete: { $command } verify { $name }
new-ptx = Los estudiantes necesitan su PTX sin compilador: `cargo xtask ptx` lo guarda.
new-read = exercises/AUTHORS.md, "How to write a new exercise", explica el resto.

store-is-for-packs = `cargo xtask ptx` guarda el PTX del curso; `--store` es para paquetes
stored = se guardó { $file }

pack-unreadable = { $path } debe tener dos líneas: name = "my-pack" y course = "{ $course }"
pack-bad-name = el nombre en { $path } puede contener letras, dígitos, `-` y `_`
pack-missing = no existe { $path }: dice con qué versión del curso se comprobaron los ejercicios
    `{ $command } verify` los comprueba con esta versión, { $course }; cuando todos pasen, escribe en él
pack-other-version = los ejercicios de `{ $name }` se comprobaron con la versión { $checked } del curso{ $is_newer ->
    [true] , y esta es { $course }
   *[false] {""}
}
    { $is_newer ->
        [true] Actualiza el curso (`git pull`). O bien: {""}
       *[false] {""}
    }`{ $command } verify` los comprueba con esta versión, { $course }; cuando todos pasen, pon course = "{ $course }" en { $path }

verify-no-exercise = el nombre de ningún ejercicio contiene `{ $part }`
verify-ptx-missing = el PTX guardado de { $names } falta o no está al día. Lo necesitan los estudiantes sin compilador: `{ $command } verify { $name } --store` lo crea
verify-passes-with-note = { $name } pasa con una nota, y debe pasar sin ninguna
verify-passes = { $name } pasa, y debe rechazarse como { $wanted }
verify-rejected = { $name } se rechaza como { $kinds }, y debe { $wanted ->
    [pass] pasar
   *[other] rechazarse como { $wanted }
}
verify-cheats = (respuestas hechas a partir de check.cu)
verify-cheat-passes = { $name } pasa: dale [work] threads, o un presupuesto
verify-ok = bien
verify-failed = FALLA
verify-line = { $name } (respuestas: { $answers }, { $seconds } s)
verify-standing = { $good } de { $of } ejercicios cumplen lo que prometen
verify-busiest = [work] { $name } = { $stated } es más del triple de lo que necesita la respuesta correcta más costosa, { $most }: como mucho { $wanted }

form-hints = pistas: { $count }; deben ser al menos dos
form-empty-text = el título, la idea o una pista está vacía
form-no-right = no hay una respuesta correcta escrita de otra manera (right_*)
form-wrongs = respuestas incorrectas (wrong_*): { $count }; deben ser al menos tres
form-wrong-without-kind = { $name } no empieza con `// wrong: KIND`
form-wrong-without-why = la segunda línea de { $name } no dice por qué la escribiría un estudiante
form-todo = el archivo entregado debe tener un solo `TODO:`
form-screen = líneas del archivo entregado: { $lines }; en una pantalla caben { $most }
form-same-answers = { $one } y { $other } son la misma respuesta, salvo comentarios y espacios
form-questions = los tipos `predict` y `count` necesitan preguntas, y ningún otro tipo las admite
form-counts = el tipo `count` pregunta por `executions` o `wrong` de un kernel, y ningún otro tipo lo hace
form-host = el tipo `host` necesita [host], y ningún otro tipo lo admite
form-break = el tipo `break` necesita [break], y ningún otro tipo lo admite
form-size = el tamaño `{ $name }` no se puede sortear: `from` es al menos 0 y como máximo `to`, `step` es al menos 1, y `one_of` nombra un valor
form-inputs = [trial] inputs: deben ser al menos dos
form-no-check = ningún [[buffer]] tiene `check`: no se compara nada
form-spanish-count = exercise.es.toml: { $name }: { $count }; deben ser { $wanted }
form-spanish-comments = exercise.es.toml: comentarios: { $count }; en el archivo entregado: { $wanted }
form-spanish-code = exercise.es.toml: el archivo en español tiene otro código
form-spanish-lines = exercise.es.toml: líneas del archivo en español: { $lines }; en inglés: { $wanted }. Su PTX guardado nombra líneas, así que deben ser iguales
budget-without-bound = `{ $sum }` no tiene at_most ni at_least
expression-unexpected = no se espera `{ $what }` aquí
expression-missing = falta `{ $what }`
expression-too-large = un número demasiado grande
expression-by-zero = una división entre cero, o un número demasiado grande
expression-no-number = `{ $digits }` no es un número
expression-ends = falta algo al final
expression-ceil-div = ceil_div divide entre un número positivo
expression-no-function = no hay una función `{ $name }`; hay ceil_div, min y max
counter-unknown = ningún contador se llama `{ $name }`; docs/counters.md los tiene todos
cheat-no-kernel = [[launch]] nombra el kernel `{ $kernel }`, y no está ni en el archivo que se entrega ni en la solución
check-has-no = check.cu no tiene `{ $name }(...)`
question-no-run = la ejecución de la que trata una pregunta se detuvo antes de tiempo
element-unreadable = escribe el elemento `{ $place }` así: out[0]
buffer-unknown = no hay un buffer `{ $name }`
element-outside = el elemento `{ $place }` está fuera de su buffer
reason-unknown = ningún veredicto tiene la razón `{ $name }`
buffer-length = el buffer `{ $name }` tiene una longitud imposible
check-stops = `{ $kernel }` de check.cu: { $why }
launch-unreadable = [[launch]] de `{ $kernel }`: { $why }
type-unknown = no hay un tipo `{ $name }`
launch-dimensions = un grid y un bloque tienen como máximo tres dimensiones
launch-extent = { $value } no es un tamaño de un grid ni de un bloque
launch-shared = el tamaño de la memoria compartida es imposible
expression-not-whole = { $value } debe ser un número entero
fill-one-of-nothing = `one_of` no nombra ningún valor
buffer-unread = no se puede leer un buffer: { $why }
form-no-file = no hay un archivo { $name }
argument-unknown = no hay un buffer ni un tamaño `{ $name }`
expression-negative = { $value } es negativo
topic-order-names = { $name }/topic.toml nombra `{ $exercise }` en su orden, y no hay tal carpeta
verify-same = lo mismo con { $count ->
    [one] { $count } respuesta más: { $names }
   *[other] { $count } respuestas más: { $names }
}
verify-no-verdict = por eso quedan sin veredicto: { $count ->
    [one] { $count } respuesta ({ $names })
   *[other] { $count } respuestas ({ $names })
}
cheat-nothing = (kernels que no hacen nada)
cheat-one-thread = (un thread, como la referencia)
cheat-stored-back = (un thread, y los demás lo vuelven a escribir)

range-label = Rango
range-from = { $name } va de { $from } a { $to }
range-list = { $name } es { $values }
range-multiple = { $name } es un múltiplo de { $step }, de { $from } a { $to }
range-steps = { $name } va de { $from } a { $to }, de { $step } en { $step }
range-or = { $before } { $last ->
    [8] u
    [11] u
    [80] u
   *[other] o
} { $last }
range-values = { $name } tiene valores { $values }
range-values-from = de { $from } a { $to }
range-permutation = 0, 1, 2, ... en cualquier orden
range-written = rangos escritos en { $file }
form-range = en { $file } falta la línea `{ $line }`: la escribe `cargo learn verify { $name } --write-ranges`
form-range-idle = { $file } indica rangos, pero { $name } no tiene tamaños ni vectores con valores al azar

ends-reference = `{ $kernel }` de check.cu falla al final de un rango, donde { $place }: { $why }
ends-lowest = todos los valores son los menores
ends-highest = todos los valores son los mayores
ends-drawn = los valores son al azar
