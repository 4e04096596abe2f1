### What a program that takes no reports hears beside its findings.

launch-refused = launch refused: { $why }
leak = leak: { $count ->
    [one] the program never freed { $count } allocation
   *[other] the program never freed { $count } allocations
} of this context, { $bytes } { $bytes ->
    [one] byte
   *[other] bytes
}
