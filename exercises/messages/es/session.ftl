### The student's side: copies, progress, hints, the watch.

welcome = Cada ejercicio es un archivo con algo que reparar, escribir o averiguar. Ábrelo en un editor, cámbialo y guárdalo: el veredicto aparece aquí. No hace falta una GPU. h muestra una pista, l lista todos los ejercicios.
keys = h pista, f corrección, n siguiente, l lista, e editor, r ejecutar, v detalles, s solución, x de nuevo, ? ayuda, q salir (y Enter)
keys-help =
    h: la pista siguiente.
    f: probar pequeños cambios que lo corrigen.
    n: el siguiente ejercicio sin resolver.
    m: la página siguiente de un texto largo.
    l: la lista. Un número o un nombre, aquí o allí, va a ese ejercicio.
    e: abrir el archivo en tu editor.
    r: evaluar otra vez.
    v: mostrar todos los hallazgos y detalles, o solo el primero.
    s: mostrar una respuesta que funciona (pregunta antes).
    x: empezar de nuevo con el archivo como se entregó (pregunta antes).
    q: salir.
    explain race-shared: qué es ese tipo de hallazgo.
    Guardar el archivo lo evalúa. A cada tecla le sigue Enter.
keys-list = un número o un nombre va allí; una palabra o un tema muestra solo esos, t por hacer, a todos; m página siguiente, b página anterior; Enter solo vuelve, q sale
editor-unknown = Pon en EDITOR el comando que abre un archivo en tu editor. El archivo es { $file }
state-solved = resuelto
state-times = evaluado { $count } veces
state-unsolved = sin resolver: { $kinds }
judging = evaluando…
judging-compiler = compilando { $file }, { $seconds } s
judging-runs = ejecutando { $file } en la GPU emulada, { $seconds } s
judging-groups = compilando { $file }, { $seconds } s. Las cabeceras de los grupos cooperativos tardan unos segundos.
judging-cargo = { $of ->
    [0] cargo prepara lo que necesitan los programas del host, { $seconds } s
   *[other] cargo compila lo que necesitan los programas del host: { $done } de { $of }, ahora { $name }, { $seconds } s
}
stuck-compiler = El compilador lleva { $seconds } s trabajando y puede estar bloqueado.
stuck-runs = Tu kernel lleva { $seconds } s en ejecución. ¿Tiene un bucle infinito?
stuck-watch = Espera, o cambia el archivo y guárdalo: así empieza de nuevo.
stuck-once = Espera, o pulsa Ctrl-C para terminar.
page-more = { $count ->
    [one] … { $count } línea más: pulsa m y Enter
   *[other] … { $count } líneas más: pulsa m y Enter
}
page-more-fix = … { $count ->
    [one] { $count } línea más con una corrección: pulsa m y Enter
   *[other] { $count } líneas más con una corrección: pulsa m y Enter
}
page-last = (fin; m y Enter: vuelve al principio)
list-to-do = por hacer
list-rows = filas { $from } a { $to } de { $of }; { $standing }
command-elsewhere = Escribe `{ $line }` en otra terminal. Esta pantalla sigue vigilando tu archivo.
line-unknown = `{ $line }` no es ni una tecla ni un ejercicio. l y Enter: la lista de todos los ejercicios.
line-unknown-near = `{ $line }` no es ni una tecla ni un ejercicio. ¿Querías decir `{ $near }`? l y Enter: la lista de todos los ejercicios.
number-unknown = No hay ejercicio { $number }: los números van de 1 a { $of }. l y Enter: la lista.
nothing-to-do = No queda nada por hacer: todo está resuelto.
nothing-done = No se cambió nada.
editor-done = El editor terminó. { $file } se evalúa cuando cambia.
fix-tried = Probando pequeños cambios…
fix-above = Esta corrección está arriba. No se probó ninguna otra.
fix-later = Después del veredicto se prueban pequeños cambios.
file-gone = { $file } ya no está. `{ $command } reset { $name }` lo restaura como se entregó.
edit = edita { $file }
standing = { $solved } de { $of } resueltos
standing-topic = { $topic }: { $solved } de { $of }
solved-next = { $standing }. n y Enter: el siguiente.
all-solved = Todos los ejercicios están resueltos. `{ $command } list` los lista; `{ $command } reset NAME` empieza uno de nuevo.
all-solved-without-compiler = Están resueltos todos los ejercicios que no necesitan compilador. Para los demás: { $why }
hint = pista { $number } de { $of }: { $hint }
no-fix = Aquí no hay ningún cambio pequeño que probar. `h` muestra una pista.
hint-last = Esa fue la última pista; `{ $command } solution { $name }` muestra una respuesta que funciona.
hints-taken = { $count ->
    [one] { $count } pista
   *[other] { $count } pistas
}
laid-new = { $count ->
    [one] { $count } ejercicio nuevo en { $folder }
   *[other] { $count } ejercicios nuevos en { $folder }
}
laid-refreshed = { $count ->
    [one] se actualizó { $count } ejercicio que no has editado
   *[other] se actualizaron { $count } ejercicios que no has editado
}
laid-outdated = nota: { $name } cambió en el curso. Tu archivo se conserva; `{ $command } reset { $short }` toma el nuevo
obstacle-next = Los tipos predict, count, break y host no necesitan compilador: `{ $command }` va al siguiente de ellos.
no-exercises = no hay ejercicios
no-exercises-in = no hay ejercicios en { $folder }; `cargo learn new` crea uno
exercise-unknown = no hay ningún ejercicio `{ $name }`; `cargo learn list` los lista todos
exercise-unknown-near = no hay ningún ejercicio `{ $name }`; ¿querías decir `{ $near }`?
exercise-ambiguous = varios ejercicios se llaman `{ $name }`: { $names }
nowhere-to-begin = `{ $name }` no es un comando, ni un tema, ni un ejercicio; `{ $command } --help` muestra los comandos

ask-reset = ¿empezar { $name } de nuevo?
ask-solution = { $name } no está resuelto todavía; ¿mostrar una respuesta?
ask-toolkit = ¿descargarlo ahora (unos 195 MB, en tu carpeta de caché)?
ask-yes = Confírmalo con `--yes`.
ask-choice = [s/N]
reset-done = { $file } está de nuevo como se entregó
reset-kept = tu archivo se guarda como { $file }
no-solution = estos ejercicios no traen la solución de { $name }; pídela a quien te los dio
until-then = Hasta entonces puedes hacer los tipos predict, count, break y host, que no necesitan compilador.
looking-for-compiler = Se busca un compilador de CUDA. Un nvcc que no responde puede estar bloqueado; `cargo toolkit install` trae otro.
toolkit-failed = `cargo toolkit install` no funcionó; `cargo learn doctor` dice qué falta

progress-head = Escrito por `cargo learn`: lo que has resuelto y las pistas que has pedido.
progress-put-aside = nota: { $path } está dañado y ahora es { $aside }. Se crea uno nuevo; tus ejercicios siguen como estaban.

## Files

cannot-read = no se puede leer { $path }
cannot-open = no se puede abrir { $path }
cannot-list = no se puede listar { $path }
cannot-create = no se puede crear { $path }
cannot-create-own-folder = no se puede crear { $path }; indica otra carpeta con `--dir`
cannot-write = no se puede escribir { $path }{ $why ->
    [full] ; libera espacio. Tus archivos no cambiaron
    [closed] ; permite la escritura, o indica otra carpeta con `--dir`
   *[other] {""}
}
cannot-keep = no se puede conservar { $path }
cannot-put-aside = no se puede renombrar { $path }
cannot-lock = no se puede bloquear { $path }
cannot-run = no se puede ejecutar { $program }
no-own-path = no se encuentra el archivo de este programa
toml-not-as-described = { $path } no es como lo describe exercises/AUTHORS.md
in-file = en { $path }
host-builds = Cargo compila lo que necesitan los programas del host. Tarda minutos, una vez.
