### The counters that the course's exercises limit, as budgets name them.

counter-atomic-operations = atomic operations of threads
counter-barriers = block barriers completed
counter-device-launches = launches by the device
counter-fences = fences of a warp
counter-global-atomics = global atomics of a warp, old value used
counter-global-load-requests = global load requests, with those of cp.async
counter-global-load-sectors = 32-byte sectors of global loads and of cp.async
counter-global-loads = global loads of a warp
counter-global-reductions = global atomics of a warp, old value not used
counter-global-store-requests = global store requests
counter-global-store-sectors = 32-byte sectors of global stores
counter-load-sectors-per-request = 32-byte sectors per global load
counter-loop-iterations = loop iterations, by warps
counter-shared-load-conflicts = extra passes because of bank conflicts of shared loads
counter-shared-loads = shared loads of a warp
counter-shared-store-conflicts = extra passes because of bank conflicts of shared stores
counter-shared-stores = shared stores of a warp
counter-warp-meetings = meetings of a warp: shuffles, votes, __syncwarp()
