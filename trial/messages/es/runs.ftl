### Una ejecución: su token, su orden y lo que estuvo mal en ella.

no-schedule = no hay orden de ejecución `{ $name }`: { $all }
no-schedule-near = no hay orden de ejecución `{ $name }`. ¿Quisiste decir `{ $near }`?
token-parts = un token para repetir tiene cinco partes, kernel/variante/orden/semilla/tamaño. Este tiene { $count }
token-no-kernel = falta el nombre del kernel
token-variant = la variante es broken, correct o ladder, no `{ $variant }`
token-seed = la semilla `{ $seed }` no es un número
token-size = el tamaño `{ $size }` no es un número
token-choice = `{ $one }` no es una decisión. Un token tiene números, como en `random/7@3,17`, o decisiones de una página, como en `steps/0@w2.1`
choice-misfit = la decisión { $number } del token es `{ $given }`, pero allí el kernel pide una de `{ $asked }`. El token es de otra versión del kernel, o de otro tamaño
choice-left = la decisión { $number } del token es `{ $given }`, pero la ejecución termina antes. El token es de otra versión del kernel, o de otro tamaño
device-stopped = el device se detuvo: { $error }
process-died = el proceso terminó con un fallo: { $how }
still-running = el kernel seguía ejecutándose después de { $seconds } s

execution-thread = hilo { $thread }
execution-thread-of = bloque { $block }, hilo { $thread }
execution-read = lee { $word } = { $value }
execution-write = escribe { $word } = { $value }
execution-update = cambia { $word } de { $found } a { $value }
execution-failed = compara { $word } = { $found } y no escribe nada
execution-fence = fence
execution-barrier = barrera
execution-endless = Después, los hilos esperan para siempre.
execution-trapped = Después, un hilo hace trap, o falla su aserción.
execution-weak = Ningún orden de estos pasos lo explica: una lectura no obtiene el último valor.
