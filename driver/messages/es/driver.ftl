### Lo que el driver dice a una persona: qué device usa y qué no puede hacer la GPU emulada.

error = error: { $why }
asked-for = tú lo pediste
driver-reports-it = el driver de NVIDIA lo anuncia
no-gpu = no hay una GPU utilizable: { $reason }
no-driver = no hay un driver de NVIDIA instalado ({ $error })
no-device = el driver no anuncia ningún device
driver-too-old = el driver es demasiado antiguo: { $error }
call-failed = { $name } devolvió { $code }
ptx-refused = { $name } no acepta el PTX de este curso: { $error }
unknown-device = device desconocido "{ $name }": se espera auto, gpu o emulator
already-chosen = este proceso ya eligió su device: { $name } ({ $why })
already-refused = una llamada anterior de CUDA no obtuvo el device que quería
unknown-error = driver: libcuda devolvió el error { $code }, que cust_raw 0.11.3 no conoce

launch-refused = lanzamiento rechazado: { $why }
leak = fuga: el programa no liberó { $count ->
    [one] { $count } reserva
   *[other] { $count } reservas
} de este contexto, { $bytes } { $bytes ->
    [one] byte
   *[other] bytes
}
emulator-error = error del emulador en { $text }: es un error del emulador, no de tu programa. Por favor, repórtalo
unsupported-instruction = no admitido: la GPU emulada no ejecuta `{ $what }` ({ $at }kernel { $kernel }, línea { $line } del PTX)
unsupported-function = no admitido: la GPU emulada no implementa { $name }
unsupported-image = no admitido: la GPU emulada ejecuta PTX, y este módulo es un { $kind } (compila con nvcc --ptx)
unsupported-link = no admitido: la GPU emulada enlaza PTX y la biblioteca del device runtime, no { $kind }
