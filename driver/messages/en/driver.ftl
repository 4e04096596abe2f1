### What the driver says to a person: which device it takes, and what the emulated GPU cannot do.

error = error: { $why }
asked-for = you asked for it
driver-reports-it = the NVIDIA driver reports it
no-gpu = no usable GPU: { $reason }
no-driver = no NVIDIA driver is installed ({ $error })
own-library = { $place } is the emulated GPU itself
no-device = the driver reports no device
driver-too-old = the driver is too old: { $error }
call-failed = { $name } returned { $code }
ptx-refused = { $name } does not accept this course's PTX: { $error }
refused-version = the file has PTX version { $version }, and the driver, made for CUDA { $cuda }, reads PTX up to { $newest }. Install a newer driver, or compile with an older toolkit: name its nvcc in NVCC. A file that is as it came uses the stored PTX, so undoing your change helps too. LESSON_PTX=cuda/ptx runs the stored PTX of an edited file
refused-version-unknown = the file has PTX version { $version }, which is too new for the driver. Install a newer driver, or compile with an older toolkit: name its nvcc in NVCC
refused-target = the file is for { $target }, and this device is { $device }. Compile for { $device } or older: the first line `// Arch:` of the .cu file says for what (it becomes `-arch`)
refused-invalid = the PTX is not valid for this driver. If the kernel has inline assembly, look there; otherwise the driver may be older than the compiler
refused-code = the driver returned { $code }
refused-log = the driver's compiler says: { $log }
refused-old-driver = the driver is too old for this program (error { $code }). Install a newer driver, or use --device emulator
refused-no-compiler = the driver finds no compiler for PTX (error { $code }). It is libnvidia-ptxjitcompiler.so.1, in the same package as the driver's libcuda.so.1: install that package anew
refused-compiler-off = compiling PTX is switched off (error { $code }): unset CUDA_DISABLE_PTX_JIT
refused-stub = libcuda.so.1 is only a stub for linking (error { $code }): take the folder `stubs` out of LD_LIBRARY_PATH
refused-mismatch = the driver in the kernel and libcuda.so.1 are of different versions (error { $code }): restart the machine after an update of the driver
refused-compatibility = this GPU takes no libcuda.so.1 that is newer than its driver (error { $code }): take the folder `compat` out of LD_LIBRARY_PATH
unknown-device = unknown device "{ $name }": expected auto, gpu or emulator
already-chosen = the device was already chosen in this process: { $name } ({ $why })
already-refused = an earlier CUDA call already failed to get the device it wanted
unknown-error = driver: libcuda returned error { $code }, which cust_raw 0.11.3 does not know

emulator-error = emulator error in { $text }: this is a bug in the emulator, not in your program. Please report it
endless-conditional-node = stopped: a conditional node of a graph has run its body { $iterations } times, and went on
unsupported-instruction = unsupported: the emulated GPU does not run `{ $what }` ({ $at }kernel { $kernel }, PTX line { $line })
not-understood = unsupported: the emulated GPU does not understand kernel { $kernel }, PTX line { $line }: { $what }
not-understood-newer = { $text }. The file has PTX version { $version }, and the emulated GPU knows up to { $newest }{ $in_python ->
    [true] {""}
   *[false] : an older nvcc may help (name it in NVCC)
}
not-understood-directive = unsupported: the emulated GPU does not understand PTX line { $line }: { $what }. What it declares is missing
not-understood-lookup = { $text }. Maybe { $name } is among it
unsupported-function = unsupported: the emulated GPU does not implement { $name }
unserved-runtime = unsupported: { $files } has a CUDA runtime inside that was not found: its calls are not served
unsupported-launch-attribute = unsupported: the emulated GPU does not implement the launch attribute { $name }
unsupported-node-type = unsupported: the emulated GPU does not implement nodes of graphs of the type { $name }
unsupported-image = unsupported: the emulated GPU runs PTX, and this module is a { $kind }{ $has_file ->
    [true] {" "}that { $file } has loaded
   *[false] {""}
} (have it compiled to PTX, as nvcc --ptx does)
unsupported-link = unsupported: the emulated GPU links PTX and the device runtime library, not { $kind }
unsupported-second-mapping = unsupported: the emulated GPU does not implement a second mapping of the same memory (cuMemMap)
unsupported-read-only-mapping = unsupported: the emulated GPU does not implement mapped memory that can only be read (cuMemSetAccess)
