tensor-copy = { $misuse ->
    [no-map] a copy of a tensor has no tensor map of its rank
    [local-map] a copy reads its tensor map from local memory
    [box-row] a box begins within a unit of 16 bytes, at coordinate { $coordinate }
    [box-below] a store begins at the negative coordinate { $coordinate }
   *[reduction] the elements of this tensor do not have this reduction
}
    .why = { $misuse ->
        [no-map] The bytes there are not what `cuTensorMapEncodeTiled` makes, or the map has another number of dimensions.
        [local-map] A tensor map must be in global, constant or parameter memory. Without `__grid_constant__`, a kernel's parameter whose address is taken is copied to local memory.
        [box-row] The first coordinate times the size of an element must be a multiple of 16 bytes. A GPU ends the launch with an illegal instruction.
        [box-below] A load may begin outside the tensor, and fills what lies there. A store may not: a GPU ends the launch with an illegal instruction.
       *[reduction] The PTX ISA has a table of the reductions of each type.
    }
    .fix = { $misuse ->
        [no-map] pass the map as a `const __grid_constant__ CUtensorMap` parameter, made for as many dimensions as the copy names
        [local-map] declare the parameter `const __grid_constant__ CUtensorMap`
        [box-row] use a first coordinate that is a multiple of { $count }
        [box-below] begin the store inside the tensor, and leave out the part below it
       *[reduction] use an operation of that table, or another element type
    }
map-fence-missing = { $missing ->
    [release] no release fence for the tensor map
    [acquire] no acquire fence for the tensor map
   *[both] no fences for the tensor map
} between the write (1) and the tensor copy (2)
    .why = A tensor copy reads its map through the tensormap proxy, which can still have the old map. Besides the usual order, two fences must hand the new map over: a release after (1), and an acquire of this map before (2). { $missing ->
        [release] No release covers (1).
        [acquire] The thread of (2) has passed no acquire of this map since the release.
       *[both] Both are missing.
    }
    .fix = { $missing ->
        [release] `fence.proxy.tensormap::generic.release.gpu` after (1), in each thread that writes the map. `tensormap.cp_fenceproxy` copies a map and has this fence
        [acquire] `fence.proxy.tensormap::generic.acquire.gpu [map], 128` before (2), after the threads that write the map have released it
       *[both] `fence.proxy.tensormap::generic.release.gpu` after (1), in each thread that writes the map. Then `fence.proxy.tensormap::generic.acquire.gpu [map], 128` before (2)
    }
unordered-expect = a phase of { $object } may complete before all its bytes are expected
    .why = `expect_tx` counts for the current phase. No arrival of that phase happens after (1). So in another schedule the phase completes without these bytes, and threads that wait for it read too early.
    .fix = expect the bytes in the thread that arrives, before it does or with `mbarrier.arrive.expect_tx`, or put `__syncwarp()` or `__syncthreads()` between (1) and (2)

expects-bytes = expects bytes in this phase
copies-box = { $who } { $count ->
    [one] copies
   *[other] copy
} a box at coordinate { $coordinate }
copies-tensor = { $who } { $count ->
    [one] copies
   *[other] copy
} a box of a tensor
