### `cargo learn web`: lo que dice el servidor. Las palabras de la página están en `web/src/learn/words/`.

web-address = Abre esta dirección en un navegador de esta máquina. Funciona una sola vez:

      { $address }

    Enter: una dirección nueva. q y Enter: salir.
web-not-shut-in = nota: aquí las respuestas no se evalúan en el sandbox. Hacen falta NVRTC y un Linux con Landlock
web-port = no se puede escuchar en el puerto { $port }{ $why ->
    [busy] : otro programa lo usa. Indica otro con `--port`, o no indiques ninguno
    [closed] : el sistema no lo permite. Elige un puerto mayor que 1023
   *[other] {""}
}
web-host-name = escribe un nombre y un puerto, como lab.example:8443
web-token = Esta dirección ya no funciona. Pulsa Enter en la terminal donde se ejecuta `cargo learn web`: muestra una nueva.
web-cookie = Este navegador no tiene acceso. Abre la dirección que mostró `cargo learn web`, o pulsa Enter en su terminal para obtener otra.
web-host = Este servidor no tiene el nombre que usa el navegador. Para un puerto redirigido, inícialo con `--allow-host NOMBRE:PUERTO`.
web-origin = otra página envió esta petición
web-no-json = el cuerpo de una petición debe ser JSON
web-nothing-here = no hay nada en esta dirección
web-outside = { $path } no está en la carpeta con tus copias
web-link = { $path } es un enlace o está debajo de uno; `cargo learn web` no sigue ninguno
web-no-file = { $path } no es un archivo normal
web-no-text = { $path } no es un archivo de texto
web-too-long = un archivo puede tener { $most } bytes como máximo
web-changed = el archivo cambió en el disco después de que lo abriste
web-no-run = no hay una ejecución fallida de esta versión del archivo

page-run = Una ejecución de tu archivo que falla: { $run }.
page-right = el resultado de esta ejecución fue correcto
page-ended = la ejecución se detuvo antes de tener un resultado
web-cannot-start = el servidor no puede iniciarse
