### Lo que todos los programas dicen igual.

arguments-refused = error: { $text }
usage = Uso:
usage-options = [OPCIONES]
usage-command = [COMANDO]
try-help = Para más información, usa '--help'.
unknown-option = argumento inesperado '{ $option }'
options-conflict = el argumento '{ $option }' no se puede usar con '{ $other }'
takes-no-value = '{ $option }' no lleva ningún valor
missing-argument = falta el argumento '{ $option }'
no-command = no hay ningún comando `{ $name }`. --help los lista
no-value = '{ $option }' necesita un valor
invalid-value = valor incorrecto '{ $value }' para '{ $option }': { $why }
no-page = nada se llama `{ $name }`: { $all }
output-unwritable = error: no se puede escribir la salida
page-argument = argumento { $number }
options = Opciones
