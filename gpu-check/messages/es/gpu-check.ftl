internal = error interno de gpu-check, en { $name }. Por favor, avísanos
fat-binary = no se puede leer el código del programa para la GPU: { $why }
ptx-for-newer = nota: el código para la GPU del programa es para la capacidad de cómputo { $want } y posteriores; aquí se ejecuta en una GPU emulada de { $have }
no-ptx = el programa tiene código máquina y ningún PTX, así que la GPU emulada no puede ejecutar sus kernels. Compila con -arch=sm_90, o con -gencode y code=compute_90
not-loaded = el código para la GPU no se puede cargar: { $why }
unsupported-function = la GPU emulada no tiene { $name }: la llamada falla
lto = el código para la optimización al enlazar que no se compiló aquí no puede correr en la GPU emulada, que ejecuta PTX
older-runtime = { $file } contiene el runtime de CUDA de una versión anterior a la 12, que no se reemplaza. Compila con CUDA 12 o 13
stripped = { $file } tiene código para la GPU, y no se encontró en él ningún runtime de CUDA: no hay tabla de símbolos en la que buscarlo. Enlázalo sin -s, o con -cudart shared

about = Ejecuta un programa de CUDA en la GPU emulada y comprueba cada lanzamiento: carreras, límites, barreras, valores que nunca se escribieron
exit-status =
    Código de salida: 99 (o lo que diga --error-exitcode) si se encontró algo, o si una ejecución no terminó a tiempo. 98 si no se comprobó todo: se rechazó un lanzamiento o una
    llamada, un lanzamiento alcanzó el límite de instrucciones, o el programa terminó con 0 y no lanzó nada. 97 si no se pudo compilar o iniciar el programa. Si no, el del programa.
option-schedules = Qué hilo sigue: in-order, reverse, random, pct, adversarial, o varios de ellos [por defecto: in-order, y los lanzamientos cortos otra vez con adversarial y reverse]
option-seeds = Cuántas ejecuciones de cada orden que toma una semilla. Cada una es un proceso propio [por defecto: 1]
option-fast = Busca solo accesos fuera de los límites: mucho más rápido
option-exhaust = Explorar, durante estos segundos como máximo, todas las ejecuciones que el modelo de memoria permite a cada lanzamiento de hasta 1024 hilos [por defecto: 10]
option-kernel-name = Comprobar solo los kernels con esto en su nombre. Los demás se ejecutan, y solo se miran sus accesos fuera de límites
option-launch-count = Comprobar solo tantos lanzamientos. Los siguientes se ejecutan, y solo se miran sus accesos fuera de límites
option-leak-check = Con full, nombra la memoria que nunca se libera [por defecto: no]
option-error-exitcode = El código de salida si se encontró algo [por defecto: { $found }]
option-limit = Detiene cada ejecución del programa después de tantos segundos [por defecto: sin límite]
option-limit-instructions = Termina cada lanzamiento después de tantas instrucciones de thread. El código de salida es entonces 98, si no se encontró nada [por defecto: sin límite]
option-log-file = Escribe el informe en este archivo, y no en stderr
option-format = text, json o sarif [por defecto: text]
option-nvcc-flags = Más opciones para nvcc, si PROGRAM es un archivo .cu
option-no-try = No prueba arreglos
option-lang = Idioma: en o es [por defecto: $LESSON_LANG, o el del sistema]
option-help = Muestra esta ayuda
option-program = Un archivo .cu, que se compila primero, o cualquier programa con sus argumentos. `gpu-check toolkit install` descarga el compilador
not-seconds = se espera un número de segundos, mayor que 0
no-language = no hay un idioma { $code }: en o es
no-program = no se nombró ningún programa
no-source = no existe el archivo { $file }
no-folder = no se puede crear una carpeta temporal
no-start = no se puede iniciar { $program }
no-library = falta { $file }. Está junto a gpu-check, o donde se construyó. `cargo build -p gpu-check` lo construye en el repositorio, y { $variable } lo nombra en otro lugar
not-compiled = { $compiler } no compila { $file }
bad-variable = { $name } es "{ $value }", que no es un valor para ella. Se ignora
no-records = no se puede leer { $file }
not-written = no se puede escribir { $file }
no-lines = compila con -lineinfo, y los informes nombran líneas del código fuente
stood-in = en lugar de código máquina { $tools } dio PTX, que un controlador real también acepta
in-runs = en { $count } de { $all } ejecuciones
late = { $all ->
    [one] la ejecución no terminó a tiempo
   *[other] { $count ->
        [one] una de { $all } ejecuciones no terminó a tiempo
       *[other] { $count } de { $all } ejecuciones no terminaron a tiempo
    }
}
differing = { $count ->
    [one] la salida de una de { $all } ejecuciones difiere de las demás
   *[other] la salida de { $count } de { $all } ejecuciones difiere de las demás
}
progress = gpu-check: `{ $kernel }` lleva { $seconds } s en marcha: { $done } de { $blocks } { $blocks ->
    [one] bloque terminado
   *[other] bloques terminados
}, { $millions } millones de instrucciones de thread hasta ahora
blocked = gpu-check: el host lleva { $seconds } s esperando un stream que espera un valor, como con `cuStreamWaitValue32()`. No queda trabajo en cola que lo pueda escribir
stopped = error: `{ $kernel }` { $why ->
    [assert] no cumple un assert (escrito más arriba)
    [trap] terminó con un trap
    [stack] agotó su pila
   *[other] no terminó como termina un kernel
}. El error se queda: cada llamada posterior lo devuelve
failed = { $count ->
    [one] falló una llamada: { $calls }
   *[other] fallaron { $count } llamadas: { $calls }
}
signal = la señal { $signal } terminó el programa{ $signal ->
    [11] { $refused ->
        [true] {""}
       *[false] { " " }(una dirección que no es suya: ¿se usa en el host un puntero del device?)
    }
    [6] { " " }(abort)
   *[other] {""}
}
limited = --limit-instructions terminó `{ $kernel }`, lo que no es un error
not-all-checked = no se comprobó todo: { $what }{ $more ->
    [0] {""}
   *[other] ; y { $more } más
}
refused-launch = la GPU emulada rechazó un lanzamiento de `{ $kernel }`, en { $program }
refused-call = la GPU emulada rechazó { $call } ({ $error }), en { $program }
exhausted-head = gpu-check: todas las ejecuciones que permite el modelo de memoria (--exhaust):
exhausted-row = { $launch }: { $verdict }{ $count ->
    [one] {""}
   *[other] {" "}({ $count } lanzamientos)
}
exhausted-right = { $executions ->
    [one] su única ejecución: sin carreras de datos
   *[other] las { $executions } ejecuciones: sin carreras de datos
}{ $results }
exhausted-wrong = { $executions ->
    [one] su única ejecución es incorrecta
   *[other] { $wrong } de { $executions } ejecuciones { $wrong ->
        [one] es incorrecta
       *[other] son incorrectas
    }
} ({ $why }){ $results }
exhausted-bounded = { $executions ->
    [one] 1 ejecución de un número desconocido
   *[other] { $executions } ejecuciones de un número desconocido
}, hasta ahora sin carreras de datos{ $results }
exhausted-bounded-wrong = { $executions ->
    [one] 1 ejecución de un número desconocido
   *[other] { $executions } ejecuciones de un número desconocido
}, { $wrong ->
    [one] 1 incorrecta
   *[other] { $wrong } incorrectas
} ({ $why }){ $results }
exhausted-results = { $count ->
    [0] {""}
    [one] , un resultado{ $complete ->
        [true] {""}
       *[false] {" "}hasta ahora
    }
   *[other] , { $count } resultados distintos{ $complete ->
        [true] {""}
       *[false] {" "}hasta ahora
    }
}
exhausted-undecided = ; { $count } con una carrera de una lectura cuyo valor quizá no se usa
exhausted-racing = { $count } con una carrera de datos
exhausted-endless = { $count } sin final
exhausted-trapped = { $count } con un trap o un assert que no se cumple
exhausted-misplaced = { $count } con un acceso o una barrera no permitidos
exhausted-endless-all = ninguna ejecución termina
exhausted-none = el tiempo acabó antes de completar una ejecución
exhausted-race = carrera de datos: { $first } y { $second }
exhausted-race-same = carrera de datos: { $access }, que hacen dos hilos
exhausted-simplest = la ejecución incorrecta más simple:
exhausted-line = { $access ->
    [read] la lectura
    [write] la escritura
   *[atomic] la operación atómica
} en { $place }
exhausted-refused = sin explorar: { $why ->
    [mixed-sizes] varios hilos acceden a los mismos bytes con tamaños distintos
    [wide] los hilos comparten memoria con accesos de 16 bytes
    [asynchronous-copy] copia de forma asíncrona
    [barrier-object] usa un objeto de barrera
    [image] lee una textura o una superficie
    [device-runtime] lanza kernels, usa el heap o se lanza de forma cooperativa
    [cluster-barrier] usa la barrera de un clúster
    [warpgroup] usa instrucciones de un warpgroup (`wgmma`)
    [threads] tiene más de 1024 hilos
    [instructions] ejecuta más de un millón de instrucciones
    [events] sus hilos comparten memoria con más de 16 384 accesos y barreras
    [memory] el programa tiene más de 1 MiB de memoria en la GPU, o bloques vivos del heap
    [host] puede esperar al host
    [repeated] el mismo lanzamiento se exploró tres veces
    [time] se acabó el tiempo para todos los lanzamientos
    [after-refusal] antes se rechazó algo
   *[launch] el lanzamiento se rechaza
}
all-refused = no se comprobó ningún lanzamiento
unchecked = { $count ->
    [one] se dejó fuera un lanzamiento
   *[other] se dejaron fuera { $count } lanzamientos
}: solo se buscaron accesos fuera de límites
unended = `{ $kernel }` no terminó: { $number ->
    [one] era el primer lanzamiento
   *[other] era el lanzamiento { $number } del programa
}
nothing-begun = no se comprobó ningún lanzamiento: ninguno había empezado
nothing-ended = ningún lanzamiento se comprobó hasta el final: { $count ->
    [one] uno había empezado
   *[other] { $count } habían empezado
}
nothing-checked = no se comprobó ningún lanzamiento: el programa no lanzó ningún kernel
checked = { $launches ->
    [one] se comprobó un lanzamiento
   *[other] se comprobaron { $launches } lanzamientos de { $kernels ->
        [one] un kernel
       *[other] { $kernels } kernels
    }
}{ $runs ->
    [one] {""}
   *[other] , en { $runs } ejecuciones
}{ $schedules }{ $result }, en { $seconds } s
checked-under = , { $again } de ellos con { $schedules } órdenes de ejecución
checked-under-all = {" "}con { $schedules } órdenes de ejecución
checked-result = { $errors ->
    [0] : { $differs ->
        [0] no se encontró nada
       *[other] la salida difiere entre órdenes de ejecución
    }
    [one] : un error
   *[other] : { $errors } errores
}
checked-differs = {" "}y la salida difiere entre órdenes de ejecución
