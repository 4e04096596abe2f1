### Grading a class.

share-unreadable = `{ $text }` no es una parte; la tercera de ocho es 3/8
grade-no-exercise = ninguno de los ejercicios pedidos tiene un nombre que contenga `{ $part }`
grade-no-students = { $folder } no contiene ninguna carpeta de estudiante
grade-own-folder = { $folder } es la carpeta de un solo estudiante. Indica la carpeta que la contiene: `grade` toma cada carpeta dentro de ella por un estudiante
grade-unknown-student = { $folder } no tiene una carpeta `{ $name }`
grade-host-not-buildable = nota: aquí no se pueden construir programas del host: { $why }
grade-cannot-shut-in = el sandbox no funciona en esta máquina (su mensaje está arriba); `--no-sandbox` evalúa sin él
grade-cannot-judge = { $name } no se puede evaluar: { $why }
grade-linked = nota: { $name } es un enlace y no se califica
grade-loose = nota: { $name } { $more ->
    [0] no está en la carpeta de ningún estudiante y no se califica
    [one] y un archivo más no están en la carpeta de ningún estudiante y no se califican
   *[other] y { $more } archivos más no están en la carpeta de ningún estudiante y no se califican
}
grade-twice = nota: { $student } entregó { $graded } y { $left }, que son distintos. Se califica el primero
grade-begins = se califican: { $students ->
    [one] { $students } estudiante
   *[other] { $students } estudiantes
}, { $exercises ->
    [one] { $exercises } ejercicio
   *[other] { $exercises } ejercicios
}
grade-progress = calificados: { $ready } de { $of } estudiantes
grade-points = { $student }: { $points } de { $of } puntos
grade-refused = { $student }: denegado en { $exercise }: { $what }
grade-points-of-all = en total, { $students ->
    [one] { $students } estudiante
   *[other] { $students } estudiantes
}: { $points } de { $of } puntos
grade-no-room = no hay espacio en el disco para el informe
grade-no-output = no se puede escribir en la salida estándar, y el informe va ahí
grade-output-lost = la salida estándar está cerrada o no lleva a ninguna parte: nadie verá el informe
grade-missing = no se entregó nada para { $name }
grade-near = Hay { $found }. Debe llamarse { $wanted }, en la carpeta de su tema o en la del estudiante
grade-not-own = { $kind ->
    [link] { $name } es un enlace simbólico. Los enlaces no se califican: pueden llevar al trabajo de otro estudiante
    [behind-link] { $name } está en una carpeta que es un enlace simbólico. Los enlaces no se califican
    [folder] { $name } es una carpeta, no un archivo
   *[other] { $name } no es un archivo común
}
grade-too-long = { $name } tiene { $bytes } bytes; se permiten { $most }
grade-not-kept = nota: un veredicto no se guarda: { $why }
worker-ended = un proceso terminó antes de tiempo
merge-no-report = { $file } no es un informe en JSON; ¿se detuvo su ejecución antes de tiempo?
merge-twice = { $exercise } de { $student } está tanto en { $first } como en { $second }
points-twice = { $path } nombra { $name } dos veces
points-of = { $points } de { $of } puntos
