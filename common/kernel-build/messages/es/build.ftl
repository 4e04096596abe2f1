### Lo que falla al compilar kernels, y lo que ayuda.

no-root = no hay ninguna carpeta con `cuda/` y `Cargo.toml` en { $start } ni más arriba
needed = { $source } es nuevo o ha cambiado desde que se guardó su PTX. Hay que compilarlo:
no-nvcc = no se encontró nvcc (se buscó en NVCC, CUDA_HOME, CUDA_PATH, PATH, /usr/local/cuda, /opt/cuda y el toolkit descargado)
    .help = ayuda: `{ $command } install` descarga uno, unos 195 MB, en tu carpeta de caché
broken-nvcc = no se puede usar el nvcc de { $path }: { $problem }
    .help = ayuda: arréglalo, o haz que NVCC nombre uno que funcione. `{ $command } install` descarga uno, y `{ $command } status` muestra lo que se encuentra
no-host-compiler = el nvcc de { $path } necesita un compilador de C++ del host: { $problem }
    .help = ayuda: en Debian y Ubuntu, `sudo apt-get install g++`. NVCC_CCBIN puede nombrar otro compilador
nvcc-refused = nvcc rechazó { $source }
bad-arch = { $source }: `Arch { $arch }` debería ser como `Arch sm_90`
io = no se puede { $doing ->
    [open] abrir
    [read] leer
    [write] escribir
    [list] listar
    [create] crear
    [remove] quitar
   *[run] ejecutar
} { $path }: { $error }
another-version = es la versión { $version }
cannot-run = no se puede ejecutar ({ $error })
program-cannot-run = no se puede ejecutar `{ $program }` ({ $error })
program-fails = `{ $program }` falla: { $said }
said-nothing = no escribió nada
version-fails = `--version` termina con { $status }
names-no-version = `--version` no nombra ninguna versión
took-another = no se puede usar el nvcc de { $path } ({ $problem }); se usa { $taken }
of-system = { $kind ->
    [not-found] no existe tal archivo o carpeta
    [denied] permiso denegado
    [exists] ya existe
    [is-folder] es una carpeta
    [no-folder] una parte de la ruta no es una carpeta
    [full] el disco está lleno
    [quota] la cuota de disco está agotada
    [read-only] el disco es de solo lectura
    [too-large] el archivo sería demasiado grande
    [memory] no hay memoria suficiente
    [timed-out] tardó demasiado
    [refused] la conexión fue rechazada
   *[in-use] otro programa ya usa esa dirección
}
