### The doctor, the compiler, the sandbox.

doctor-exercises = exercises
doctor-copied = { $count }, copied to { $folder }
doctor-compiler = compiler
doctor-nvcc = nvcc takes half a second per file; `cargo toolkit install` brings NVRTC, which takes a tenth
doctor-kernel = a kernel
doctor-groups = cooperative groups
doctor-compiles = compiles, { $seconds } s
doctor-does-not-compile = does not compile
doctor-without-compiler = the kinds `predict`, `count`, `break` and `host` work without one
doctor-gpu = there is one; the exercises run on the emulated GPU anyway
doctor-no-gpu = none is needed ({ $why })
doctor-verdict = verdict
doctor-works = all exercises can be done
doctor-install = run `cargo toolkit install`

no-compiler = there is no CUDA compiler; `cargo toolkit install` fetches one
no-headers = there are no CUDA headers beside it
compiler-unusable = { $path } cannot be used: { $why }
file-does-not-compile = { $path } does not compile:
sandbox-needs-nvrtc = only NVRTC runs in the sandbox, nvcc does not; `cargo toolkit install` brings NVRTC, and `--no-sandbox` grades without the sandbox
sandbox-no-landlock = Linux has no Landlock here; `--no-sandbox` grades without it
sandbox-not-enforced = Linux does not enforce Landlock here; `--no-sandbox` grades without it
judge-unwanted = nobody waited for the verdict
judge-no-answer = the judging process answered something else: { $why }
judge-takes-nothing = the judging process does not take its task
nvcc-no-ptx = nvcc made no PTX
sandbox-no-filter = Linux does not filter system calls here; `--no-sandbox` grades without it
cargo-built-no = cargo did not build the crate `{ $name }`
program-fails = { $name } fails:
