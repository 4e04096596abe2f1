### Lo que dice `cargo toolkit`.

usage = uso:
    .install = descarga nvcc y NVRTC (unos 195 MB) en tu carpeta de caché, o en FOLDER
    .status = muestra lo que hay aquí para compilar kernels, y lo que falta
    .uninstall = quita lo que puso install
    .lang = --lang en o --lang es: el idioma de lo que se escribe (si no, LESSON_LANG y luego el locale)
    .exit = código de salida: 0 si funcionó; 1 si no (status: si no se pueden compilar kernels); 2 si los argumentos son incorrectos
error = error: { $error }

## install y uninstall

installed = { $how ->
    [now] instalado en { $folder }
    [completed] completado en { $folder }
   *[already] ya estaba instalado en { $folder }
}
to-use-it = para usarlo: export CUDA_HOME={ $folder }
host-also = nota: nvcc también necesita un compilador de C++ del host, y { $problem }. `{ $command } status` dice más
removed = se quitó { $folder }
nothing-to-remove = no hay nada que quitar en { $folder }
no-folder-named = `--dir` necesita una carpeta
folder-unknown = no se sabe dónde está esa carpeta
no-home = no están definidos HOME ni XDG_CACHE_HOME. Nombra una carpeta con `--dir FOLDER`
installed-is-broken = { $folder } se instaló, pero su nvcc no funciona: { $problem }
    .help = ayuda: `{ $command } uninstall`, y luego instala otra vez
not-empty = { $folder } no está vacía y no es un toolkit nuestro. Queda como está
not-ours = { $folder } no es un toolkit nuestro. Queda como está
not-absolute = no se puede instalar en { $folder }: hace falta una ruta absoluta
unpacked-is-broken = el nvcc desempaquetado no funciona: { $problem }
fetching = descargando { $count ->
    [one] { $count } archivo
   *[other] { $count } archivos
} del toolkit de CUDA con pip, que muestra el avance
comparing = comparando los archivos con sus hashes conocidos
unpacking = desempaquetando { $wheel } { $version }
removing-old = quitando { $path }, que dejó una instalación interrumpida
left-over = nota: no se pudo quitar { $path } ({ $error }). La próxima instalación lo intenta otra vez
waiting = otro `{ $command }` usa esta carpeta; esperando a que termine
nothing-installed = no se instaló nada
needs-space = ayuda: la instalación necesita unos 600 MB en { $folder }. Libera espacio, o elige otra carpeta con `--dir`
needs-permission = ayuda: elige con `--dir` una carpeta en la que puedas escribir
cannot = no se puede { $doing ->
    [create] crear
    [read] leer
    [write] escribir
    [list] listar
    [open] abrir
    [remove] quitar
    [rename] renombrar
    [lock] bloquear
   *[make-runnable] hacer ejecutable:
} { $path }
cannot-rename-to = no se puede renombrar { $path } a { $to }
cannot-run = no se puede ejecutar `{ $program }`

## wheels

no-pip = no se encontró pip (se probó { $tried })
    .help = ayuda: en Debian y Ubuntu, `sudo apt-get install python3-pip`
pip-failed = `{ $program } download` no consiguió los wheels ({ $status }); arriba está lo que dijo
no-wheels-for = no hay un nvcc que descargar para { $os } en { $processor }: solo para Linux (y WSL2) en x86_64 y aarch64
no-wheel = no llegó ningún wheel de { $wheel } { $version }
wrong-hash = { $file } no es el archivo fijado: su sha256 es incorrecto
    .pinned = fijado
    .found = hallado
    .bytes = { $bytes } bytes
    .help = ayuda: quizá esté cortado, o venga de un mirror que lo cambió. Prueba `pip cache purge`, e instala otra vez
not-a-zip = { $file } no es un archivo zip
leaves-it = { $file } tiene una ruta que sale de él

## status

label-fetched = descargado
label-host = compilador host
label-stored = PTX guardado
nvcc-at = { $answer }, en { $path } (origen: { $from })
the-fetched-toolkit = el toolkit descargado
does-not-work = no funciona: { $problem }
none-found = no se encontró
not-fetched = aún no; `{ $command } install` lo pondría en { $folder }
needs-dir = no están definidos HOME ni XDG_CACHE_HOME, así que hace falta `--dir`
no-host = ninguno que funcione: { $problem }
to-get-it = para instalarlo: { $command }
no-pip-needed = no hay (solo lo necesita `{ $command } install`)
made-by = hecho por nvcc { $version }
works = Se pueden compilar kernels: nvcc { $version } compiló uno de prueba.
works-not = Aún no se pueden compilar los kernels que cambies.
