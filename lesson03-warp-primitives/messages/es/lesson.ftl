### Lo que dice la propia lección 3: los títulos de sus dibujos y las máscaras que vio.

even-lanes = solo los lanes pares: { $call }
half-warp = 16 threads: { $call }
twenty-lanes = 20 lanes en la máscara: { $call }
votes = 24 lanes votan, máscara { $mask }
masks = __activemask() después del bucle: los 32 lanes en { $whole } de { $runs } ejecuciones; { $others } máscaras distintas en las demás
lanes-of-mask = { $count } de 32 lanes
met-again = Los lanes se reunieron al final del bucle. Nada garantiza que lo hagan.
