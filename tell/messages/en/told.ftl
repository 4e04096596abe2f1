### What every program says alike.

arguments-refused = error: { $text }
usage = Usage:
usage-options = [OPTIONS]
usage-command = [COMMAND]
try-help = For more information, try '--help'.
unknown-option = unexpected argument '{ $option }'
options-conflict = the argument '{ $option }' cannot be used with '{ $other }'
takes-no-value = '{ $option }' takes no value
missing-argument = the argument '{ $option }' is missing
no-command = no command `{ $name }`. --help lists them
no-value = a value is required for '{ $option }'
invalid-value = invalid value '{ $value }' for '{ $option }': { $why }
no-page = nothing is called `{ $name }`: { $all }
output-unwritable = error: the output cannot be written
page-argument = argument { $number }
options = Options
