### What the driver says to a person: which device it takes, and what the emulated GPU cannot do.

error = error: { $why }
asked-for = you asked for it
driver-reports-it = the NVIDIA driver reports it
no-gpu = no usable GPU: { $reason }
no-driver = no NVIDIA driver is installed ({ $error })
no-device = the driver reports no device
driver-too-old = the driver is too old: { $error }
call-failed = { $name } returned { $code }
ptx-refused = { $name } does not accept this course's PTX: { $error }
unknown-device = unknown device "{ $name }": expected auto, gpu or emulator
already-chosen = the device was already chosen in this process: { $name } ({ $why })
already-refused = an earlier CUDA call already failed to get the device it wanted
unknown-error = driver: libcuda returned error { $code }, which cust_raw 0.11.3 does not know

launch-refused = launch refused: { $why }
leak = leak: { $count ->
    [one] the program never freed { $count } allocation
   *[other] the program never freed { $count } allocations
} of this context, { $bytes } { $bytes ->
    [one] byte
   *[other] bytes
}
emulator-error = emulator error in { $text }: this is a bug in the emulator, not in your program. Please report it
unsupported-instruction = unsupported: the emulated GPU does not run `{ $what }` ({ $at }kernel { $kernel }, PTX line { $line })
unsupported-function = unsupported: the emulated GPU does not implement { $name }
unsupported-image = unsupported: the emulated GPU runs PTX, and this module is a { $kind } (compile with nvcc --ptx)
unsupported-link = unsupported: the emulated GPU links PTX and the device runtime library, not { $kind }
