### What is said of an answer. `line-*` follow `unsolved`, which begins the last part of a verdict.

solved = resuelto: { $line }
unsolved = sin resolver: { $line }
error = error: { $why }
note = nota: { $why }
idea = idea: { $idea }
and = y
line-no-text = { $shown } no es un archivo de texto (compile)
line-does-not-compile = { $shown } no compila
line-does-not-compile-kind = { $shown } no compila ({ $kind })
include-missing = { $kind ->
    [own] nota: los kernels tienen su propio `{ $header }`: escribe `#include <cuda/std/{ $own }>`
    [needless] nota: `{ $header }` no hace falta: un kernel conoce `printf`, `assert`, `malloc` y las funciones matemáticas sin él{ $line ->
        [0] {""}
       *[other] ; quita la línea { $line }
    }
    [file] nota: aquí no hay ningún archivo `{ $header }`. Una respuesta es un solo archivo: pon en él lo que necesitas del otro{ $line ->
        [0] {""}
       *[other] {" "}y quita la línea { $line }
    }
   *[host] nota: `{ $header }` es para programas del host, y los kernels no lo pueden usar{ $line ->
        [0] {""}
       *[other] ; quita la línea { $line }
    }
}
line-ptx-not-loaded = { $shown }: su PTX no se puede cargar: { $why }

## Right

replay-passed = esta ejecución de { $shown } no muestra ningún error: { $replay }
right-every-time = Tu kernel se ejecutó { $runs } veces en la GPU emulada. Siempre fue correcto, sin hallazgos.
all-tried = Se probó: { $tried }.
tried = { $inputs } entradas, cada una con { $schedules } órdenes de ejecución
tried-special = , y { $count } entradas especiales (valores iguales, un solo signo, ceros, extremos), cada una con { $schedules }
tried-edges = , { $count } tamaños pequeños o junto a un warp, un bloque o una ronda, cada uno con { $is_more ->
    [true] al menos { $schedules }
   *[other] { $schedules }
}
tried-spread = , { $count } tamaños intermedios en orden
tried-counted = , y dos ejecuciones para contar su trabajo

## Wrong

printed = el kernel imprimió:
printed-more = ... y { $count } { $count ->
    [one] línea
   *[other] líneas
} más
run-shown = { $is_found ->
    [true] Es la ejecución más pequeña que falla en la GPU emulada: { $run }.
   *[false] Es la ejecución que pediste, en la GPU emulada: { $run }.
}
another-run-shows = Otra ejecución muestra { $kind }: { $replay }
run-not-the-same = la misma ejecución dio otro resultado la segunda vez
more-findings = { $count ->
    [one] { $count } hallazgo más no se muestra: { more-by }
   *[other] { $count } hallazgos más no se muestran: { more-by }
}
more-lines = { $count ->
    [one] { $count } línea más: { more-by }
   *[other] { $count } líneas más: { more-by }
}
more-by = { $by ->
    [key] pulsa v y Enter
    [button] «Mostrar todo» muestra más
   *[option] añade --verbose
}
replay = repetir: { $command }
more-about-answers = más: cargo learn explain wrong-result
luck-zeros = todos los elementos son 0 en esta ejecución, así que su resultado difícilmente puede ser incorrecto
luck-right = el resultado de esta ejecución fue correcto de todos modos
error-fault = error: el kernel fue detenido: { $fault }
fault = { $name ->
    [illegal-address] accedió a memoria que no es suya
    [misaligned-address] accedió a una dirección mal alineada
    [illegal-instruction] usó una instrucción de una forma que ninguna GPU ejecuta
    [assert] falló un `assert`
    [launch-failed] llegó a un `__trap()`, o llamó a una función que no existe
    [timeout] no terminó
    [stack-overflow] sus llamadas necesitan más memoria local de la que hay
   *[other] { $name }
}
error-assert = error: una aserción (assert) no se cumple: `{ $condition }`
error-trap = error: { $is_called ->
    [true] `__trap()`
   *[false] un `trap`
} detuvo el kernel
ended-thread = bloque { $block }, thread { $thread }
error-input-changed = error: el kernel cambió su entrada `{ $buffer }`
error-lock-ignored = error: { $is_lock ->
    [true] un lock de `{ $lock }` estaba tomado antes del lanzamiento, y lo liberó un thread que nunca lo tuvo. Un thread siguió sin el lock
   *[false] todos los locks de `{ $lock }` estaban tomados antes del lanzamiento y nadie los liberó; aun así se escribió en `{ $changed }`. Un thread siguió sin el lock
}
error-wrong-result = error: resultado incorrecto: { $why }
not-accepted = la comprobación lo rechaza
wrong-element = `{ $name }[{ $first }]` es { $got }, debe ser { $want }
from-element = desde el elemento { $from }
wrong-elements = { $count ->
    [one] 1 de { $length } elementos de `{ $name }` es incorrecto:
   *[other] { $count } de { $length } elementos de `{ $name }` son incorrectos; el primero,
} `{ $name }[{ $first }]` es { $got }, debe ser { $want }
wrong-elements-in-any-order = { $count ->
    [one] 1 de { $length } elementos de `{ $name }` es incorrecto, en cualquier orden
   *[other] { $count } de { $length } elementos de `{ $name }` son incorrectos, en cualquier orden
}
expected = esperado: { $list }
got = obtenido: { $list }
missing = falta: { $list }
too-much = sobra: { $list }
compiler-warns = el compilador avisa:
host-function = nota: { $name ->
    [main] una respuesta no necesita `main`, pues el evaluador lanza el kernel. Quítalo
   *[other] `{ $name }` es una función del host, y un kernel no puede llamarla. Escribe `__device__` delante
}
call-refused = { $call } devolvió { $code }, y tu programa siguió
limit-time = sin veredicto tras { $seconds } s. ¿Hay un bucle infinito?
limit-compiler = el compilador no terminó en { $seconds } s. Puede estar bloqueado: deshaz tu último cambio, o inténtalo de nuevo
limit-memory = el compilador o el emulador se detuvo{ $how }. ¿Demasiada memoria?
cut-off = (cortado aquí)
refused = denegado: { $what }
left-out = ... { $left ->
    [one] se omite { $left } byte más
   *[other] se omiten { $left } bytes más
}

## Work and budget

error-idle = error: { $most ->
    [one] { $most } thread del device escribió resultados
   *[other] { $most } threads del device escribieron resultados
}; deben ser al menos { $wanted }: reparte el trabajo entre los threads, o hazlo en menos pasos
error-busiest = error: un thread ejecutó { $count } instrucciones; se permiten { $most }: reparte el trabajo entre los threads, o hazlo en menos pasos
error-accesses = error: un thread accedió a { $count } elementos de memoria; se permiten { $most }: reparte el trabajo entre los threads, o hazlo en menos pasos
error-budget = error: { $what }: { $value }; { $allowed }
counter-load-requests = solicitudes de lectura global
counter-load-sectors = sectores de 32 bytes de lecturas globales
at-most = se permite como máximo { $limit }
at-least = hace falta como mínimo { $limit }
budget-share = aquí, { $share }
budget-counted = Los resultados son correctos. { $has_sizes ->
    [true] Esto se contó en una ejecución en orden, con { $sizes }.
   *[false] Esto se contó en una ejecución en orden.
}
budget-kept = Dentro del presupuesto: { $sums }.

## Predict and break

line-open = { $shown }: escribe tu respuesta después de `// { $line }:` (todo)
line-answers = { $shown }: líneas que empiezan con `// ANSWER:`: { $count }; deben ser { $wanted } (todo)
answer-right = bien
answer-wrong = MAL
predicted-wrong = La GPU emulada ejecutó el kernel y obtuvo otros resultados.
predicted-right = La GPU emulada ejecutó el kernel y obtuvo los mismos resultados.
run-found = Encontraste la ejecución: { $order } lo muestra ({ $shows }).
line-shows-nothing = { $shown }: con { $order } la GPU emulada no muestra ningún error. Busca una ejecución que muestre `{ $shows }` (answer)
line-shows-other = { $shown }: con { $order } la GPU emulada solo muestra { $saw }. Busca una ejecución que muestre `{ $shows }` (answer)
schedule-unknown-near = no hay un orden de ejecución `{ $name }`; ¿querías decir `{ $near }`?
schedule-without-seed = `{ $text }` necesita una semilla, como en `{ $schedule } 3`; los órdenes son { $names }
schedule-seed = la semilla `{ $seed }` no es un número
size-unreadable = escribe `{ $text }` así: n = 40
size-unknown = no hay un tamaño `{ $name }`
size-not-of-exercise = { $name } = { $value } no es uno de los tamaños del ejercicio, de { $low } a { $high }

## Count

count-unknown-kernel = ningún lanzamiento tiene el kernel `{ $kernel }`
count-not-explored = no se pueden visitar todas las ejecuciones de `{ $kernel }`
counted-right = La GPU emulada visitó todas las ejecuciones del kernel y obtuvo los mismos números.
count-no-number = `{ $given }` no es un número.
count-interleavings = { $given } es el número de intercalaciones. Dos intercalaciones son una sola ejecución si cada lectura recibe su valor de la misma escritura y las escrituras tienen el mismo orden.
count-results = { $given } es el número de resultados distintos. Dos ejecuciones pueden dar el mismo resultado.
count-differs = { $is_too_many ->
    [true] { $given } son demasiadas: el modelo de memoria prohíbe algunas, o contaste una dos veces.
   *[false] { $given } son muy pocas: enumera, para cada lectura, las escrituras de las que puede leer.
}
count-race-is-wrong = { $given } de las ejecuciones tienen un resultado incorrecto. Una ejecución con una condición de carrera también es incorrecta, sea cual sea su resultado.
count-wrong-differs = { $is_too_many ->
    [true] { $given } son demasiadas: una ejecución es correcta si no tiene condición de carrera y su resultado es correcto.
   *[false] { $given } son muy pocas: una ejecución es incorrecta si tiene una condición de carrera, no termina o su resultado es incorrecto.
}
count-list = `{ $kernel }` tiene { $count ->
    [one] { $count } ejecución
   *[other] { $count } ejecuciones
}, { $wrong } de ellas incorrectas. Lo que lee cada thread:
execution-endless = error: hay hilos que esperan para siempre
execution-read = { $has_right ->
    [true] { $reader } lee { $read }; en una ejecución correcta, { $right }
   *[false] { $reader } lee { $read }
}
execution-of-all = nota: el modelo de memoria permite esta ejecución, aunque quizá ningún orden la muestre
execution-again = ayuda: para verlo otra vez: `{ $command }`
execution-shown = Es una de las ejecuciones con { $sizes }: cargo learn explain executions
count-list-more = y { $count } más
count-order = escrituras de { $element }, en orden: { $writers }
count-read = { $element } = { $value }, escrito por { $writer }
count-read-initial = { $element } = { $value } (inicial)
count-why = { $why ->
    [race] condición de carrera
    [endless] no termina
    [access] acceso no permitido
   *[result] resultado incorrecto
}
count-block = el bloque { $block }
count-thread = el thread { $thread }
count-thread-of-block = el thread { $thread } del bloque { $block }

## Replay tokens

token-unreadable = un token tiene la forma tamaños/semilla/orden, como n=33/7/random:3; este es `{ $text }`
token-size-unreadable = escribe `{ $text }` así: n=33
token-size-outside = { $name } es { $value }; el ejercicio admite de { $low } a { $high }
token-size-missing = falta el tamaño `{ $name }`
token-seed = la semilla de las entradas `{ $seed }` no es un número

## Launches

emulator-error = error del emulador: { $text }. Por favor, repórtalo
no-memory-left = al device no le queda memoria
kernel-missing = no hay ningún kernel `{ $kernel }` en el archivo{ $count ->
    [0] {""}
   *[other] , sino { $others }
}. Conserva el nombre `{ $kernel }` y su `extern "C" __global__`
kernel-mangled = `{ $kernel }` perdió su `extern "C"`: escribe `extern "C" __global__ void { $kernel }(...)`
parameters-differ = parámetros de `{ $kernel }`: { $has }; el ejercicio pasa { $given }
parameter-differs = el parámetro { $number } de `{ $kernel }`: { $why }
takes-not-float = su tamaño en bytes es { $size }, pero el ejercicio pasa un float
takes-not-pointer = su tamaño en bytes es { $size }, pero el ejercicio pasa un puntero
takes-not-type = su tamaño en bytes es { $size }, pero el ejercicio pasa un { $ty } de { $bytes }
takes-not-number = su tamaño en bytes es { $size }, pero el ejercicio pasa un número
takes-too-small-number = su tamaño en bytes es { $size }, pero el ejercicio pasa { $value }
not-understood = la GPU emulada no entiende `{ $kernel }`, línea { $line } del PTX: { $what }
unsupported = la GPU emulada no admite `{ $what }` en `{ $kernel }`
launch-refused = el lanzamiento se rechaza: { $why }

## Programs of the host

program-ran = Tu programa se ejecutó en la GPU emulada, con los argumentos `{ $args }`.
program-right = { $runs ->
    [one] Tu programa se ejecutó en la GPU emulada: fue correcto, sin hallazgos.
   *[other] Tu programa se ejecutó { $runs } veces en la GPU emulada. Siempre fue correcto, sin hallazgos.
}
compiler-stopped = error: el compilador fue detenido después de { $seconds } s
compiler-gave-up = error: el compilador se detuvo ({ $status })
printed-too-much = error: el programa imprimió más de { $bytes } bytes
program-stopped = error: el programa fue detenido después de { $seconds } s
program-ended = error: el programa terminó con { $status }
program-printed = error: el programa imprimió
program-should-print = debe imprimir
nothing = nada
kernel-never-ran = error: el kernel `{ $kernel }` nunca se ejecutó
kernels-in-one-stream = error: los kernels `{ $one }` y `{ $other }` se ejecutaron en el mismo stream, y deben ir en dos
host-not-buildable = aquí no se pueden construir programas del host
no-text = no es un archivo de texto
status-code = estado de salida { $code }
status-signal = señal { $signal }
