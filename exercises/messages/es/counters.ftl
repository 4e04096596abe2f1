### The counters that the course's exercises limit, as budgets name them.

counter-atomic-operations = operaciones atómicas de threads
counter-barriers = barreras de bloque completadas
counter-device-launches = lanzamientos hechos por el device
counter-fences = fences de un warp
counter-global-atomics = atómicas globales de un warp que usan el valor anterior
counter-global-load-requests = solicitudes de lectura global, también las de cp.async
counter-global-load-sectors = sectores de 32 bytes de lecturas globales y de cp.async
counter-global-loads = lecturas globales de un warp
counter-global-reductions = atómicas globales de un warp que no usan el valor anterior
counter-global-store-requests = solicitudes de escritura global
counter-global-store-sectors = sectores de 32 bytes de escrituras globales
counter-load-sectors-per-request = sectores de 32 bytes por lectura global
counter-loop-iterations = iteraciones de bucles, por warps
counter-shared-load-conflicts = pasadas adicionales por conflictos de bancos de lecturas compartidas
counter-shared-loads = lecturas compartidas de un warp
counter-shared-store-conflicts = pasadas adicionales por conflictos de bancos de escrituras compartidas
counter-shared-stores = escrituras compartidas de un warp
counter-warp-meetings = encuentros de un warp: shuffles, votes, __syncwarp()
