### Lo que oye, además de los hallazgos, un programa que no toma informes.

launch-refused = lanzamiento rechazado: { $why }
leak = fuga: el programa no liberó { $count ->
    [one] { $count } reserva
   *[other] { $count } reservas
} de este contexto, { $bytes } { $bytes ->
    [one] byte
   *[other] bytes
}
