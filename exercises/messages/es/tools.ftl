### The doctor, the compiler, the sandbox.

doctor-exercises = ejercicios
doctor-copied = { $count }, copiados a { $folder }
doctor-compiler = compilador
doctor-nvcc = nvcc tarda medio segundo por archivo; `cargo toolkit install` trae NVRTC, que tarda una décima
doctor-kernel = un kernel
doctor-groups = cooperative groups
doctor-compiles = compila, { $seconds } s
doctor-does-not-compile = no compila
doctor-without-compiler = los tipos `predict`, `count`, `break` y `host` funcionan sin él
doctor-gpu = hay una; los ejercicios se ejecutan de todos modos en la GPU emulada
doctor-no-gpu = no hace falta ({ $why })
doctor-verdict = veredicto
doctor-works = se pueden hacer todos los ejercicios
doctor-install = ejecuta `cargo toolkit install`

no-compiler = no hay compilador de CUDA; `cargo toolkit install` lo descarga
no-headers = no hay headers de CUDA a su lado
compiler-unusable = { $path } no se puede usar: { $why }
file-does-not-compile = { $path } no compila:
sandbox-needs-nvrtc = solo NVRTC funciona en el sandbox, nvcc no; `cargo toolkit install` trae NVRTC, y `--no-sandbox` evalúa sin el sandbox
sandbox-no-landlock = Linux no tiene Landlock aquí; `--no-sandbox` evalúa sin él
sandbox-not-enforced = Linux no aplica Landlock aquí; `--no-sandbox` evalúa sin él
judge-unwanted = nadie esperó el veredicto
judge-no-answer = el proceso que juzga respondió otra cosa: { $why }
judge-takes-nothing = el proceso que juzga no acepta su tarea
nvcc-no-ptx = nvcc no hizo PTX
sandbox-no-filter = Linux no filtra aquí las llamadas al sistema; `--no-sandbox` califica sin ello
cargo-built-no = cargo no compiló el crate `{ $name }`
program-fails = { $name } falla:
