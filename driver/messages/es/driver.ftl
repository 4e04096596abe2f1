### Lo que el driver dice a una persona: qué device usa y qué no puede hacer la GPU emulada.

error = error: { $why }
asked-for = tú lo pediste
driver-reports-it = el driver de NVIDIA lo anuncia
no-gpu = no hay una GPU utilizable: { $reason }
no-driver = no hay un driver de NVIDIA instalado ({ $error })
own-library = { $place } es la propia GPU emulada
no-device = el driver no anuncia ningún device
driver-too-old = el driver es demasiado antiguo: { $error }
call-failed = { $name } devolvió { $code }
ptx-refused = { $name } no acepta el PTX de este curso: { $error }
refused-version = el archivo tiene la versión { $version } de PTX, y el driver, hecho para CUDA { $cuda }, lee PTX hasta la { $newest }. Instala un driver más nuevo, o compila con un toolkit más antiguo: indica su nvcc en NVCC. Un archivo sin cambios usa el PTX guardado, así que deshacer tu cambio también ayuda. LESSON_PTX=cuda/ptx ejecuta el PTX guardado de un archivo editado
refused-version-unknown = el archivo tiene la versión { $version } de PTX, demasiado nueva para el driver. Instala un driver más nuevo, o compila con un toolkit más antiguo: indica su nvcc en NVCC
refused-target = el archivo es para { $target }, y este device es { $device }. Compila para { $device } o anterior: la primera línea `// Arch:` del archivo .cu dice para cuál (se convierte en `-arch`)
refused-invalid = el PTX no es válido para este driver. Si el kernel tiene ensamblador en línea, míralo ahí; si no, puede que el driver sea más antiguo que el compilador
refused-code = el driver devolvió { $code }
refused-log = el compilador del driver dice: { $log }
refused-old-driver = el driver es demasiado antiguo para este programa (error { $code }). Instala un driver más nuevo, o usa --device emulator
refused-no-compiler = el driver no encuentra un compilador de PTX (error { $code }). Es libnvidia-ptxjitcompiler.so.1, del mismo paquete que libcuda.so.1 del driver: vuelve a instalar ese paquete
refused-compiler-off = la compilación de PTX está desactivada (error { $code }): elimina la variable CUDA_DISABLE_PTX_JIT
refused-stub = libcuda.so.1 es solo un sustituto para enlazar (error { $code }): quita la carpeta `stubs` de LD_LIBRARY_PATH
refused-mismatch = el driver del núcleo y libcuda.so.1 son de versiones distintas (error { $code }): reinicia la máquina después de actualizar el driver
refused-compatibility = esta GPU no acepta una libcuda.so.1 más nueva que su driver (error { $code }): quita la carpeta `compat` de LD_LIBRARY_PATH
unknown-device = device desconocido "{ $name }": se espera auto, gpu o emulator
already-chosen = este proceso ya eligió su device: { $name } ({ $why })
already-refused = una llamada anterior de CUDA no obtuvo el device que quería
unknown-error = driver: libcuda devolvió el error { $code }, que cust_raw 0.11.3 no conoce

emulator-error = error del emulador en { $text }: es un error del emulador, no de tu programa. Por favor, repórtalo
endless-conditional-node = detenido: un nodo condicional de un grafo ha ejecutado su cuerpo { $iterations } veces, y seguía
unsupported-instruction = no admitido: la GPU emulada no ejecuta `{ $what }` ({ $at }kernel { $kernel }, línea { $line } del PTX)
not-understood = no admitido: la GPU emulada no entiende el kernel { $kernel }, línea { $line } del PTX: { $what }
not-understood-newer = { $text }. El archivo tiene la versión { $version } de PTX, y la GPU emulada conoce hasta la { $newest }{ $in_python ->
    [true] {""}
   *[false] : puede ayudar un nvcc más antiguo (indícalo en NVCC)
}
not-understood-directive = no admitido: la GPU emulada no entiende la línea { $line } del PTX: { $what }. Lo que declara falta
not-understood-lookup = { $text }. Quizás { $name } sea parte de ello
unsupported-function = no admitido: la GPU emulada no implementa { $name }
unserved-runtime = no admitido: { $files } lleva dentro un runtime de CUDA que no se encontró: no se atienden sus llamadas
unsupported-launch-attribute = no admitido: la GPU emulada no implementa el atributo de lanzamiento { $name }
unsupported-node-type = no admitido: la GPU emulada no implementa nodos de grafos del tipo { $name }
unsupported-image = no admitido: la GPU emulada ejecuta PTX, y este módulo es un { $kind }{ $has_file ->
    [true] {" "}que ha cargado { $file }
   *[false] {""}
} (haz que se compile a PTX, como hace nvcc --ptx)
unsupported-link = no admitido: la GPU emulada enlaza PTX y la biblioteca del device runtime, no { $kind }
unsupported-second-mapping = no admitido: la GPU emulada no implementa una segunda asignación de la misma memoria (cuMemMap)
unsupported-read-only-mapping = no admitido: la GPU emulada no implementa memoria asignada que solo se puede leer (cuMemSetAccess)
