### Accesses outside of the kernel's memory. $place: "element 1024 of `data`, 0 bytes past the end of ...".

out-of-bounds = { $access } out of bounds: { $side ->
    [wrapped] the index wraps in 32 bits: { $place }
   *[other] { $place }
}
    .why = { $side ->
        [wrapped] The index was computed in 32 bits. It is too large for them, and became negative.
        [before] The index is below 0, so the address is before the start of the memory.
        [past] The index is too large, so the address is past the end of the memory.
       *[nothing] No memory is near this address: the pointer or the index is wrong.
    }
    .fix = { $side ->
        [wrapped] compute the index in 64 bits: convert an operand to `size_t` or `long long` before the multiplication
        [before] check that the index is not below 0 before the access
        [past] { $launch_sizes ->
            [true] if the index is right, give the launch more shared memory: `{ $near }` has as many bytes as the third argument of `<<< >>>` says
           *[false] check the index before the access, as in `if (i < n)`
        }
       *[nothing] check where the pointer comes from, and the index against the size
    }
read-only = { $access } changes constant memory: { $variable }
    .why = Kernels may only read `__constant__` memory. A GPU may carry out the write, and threads may still read the old value from a cache.
    .fix = use a `__device__` variable, or write the constant from the host: `cudaMemcpyToSymbol()`
outside-array = { $access } out of bounds: { $place }
    .why = The address is made from `{ $array }`. An index must not lead from one array into another, even where memory exists.
    .fix = check the index against the size of `{ $array }` before the access
misaligned = { $access } of { $bytes } bytes at { $breaks ->
    [index] { $at }, whose offset of { $offset ->
        [one] 1 byte
       *[other] { $offset } bytes
    } is not a multiple of { $bytes }
    [byte] byte { $offset } of { $near }, which is not a multiple of { $bytes }
    [unknown] { $in_buffer ->
        [true] byte { $offset } of a buffer, which is not a multiple of { $bytes }
       *[false] an address, which is not a multiple of { $bytes }
    }
   *[other] { $named ->
        [true] { $at }
       *[false] byte { $offset } of { $near }
    }, whose address is not a multiple of { $bytes }
}
    .why = A GPU accesses { $bytes } bytes only at addresses that are multiples of { $bytes }.{ $breaks ->
        [pointer] { " " }The pointer to { $near } is { $start ->
            [one] 1 byte
           *[other] { $start } bytes
        } past such a multiple.
        [variable] { " " }{ $near } itself begins { $start ->
            [one] 1 byte
           *[other] { $start } bytes
        } past such a multiple.
       *[other] { "" }
    }
    .fix = { $breaks ->
        [index] begin this access at an element whose index is a multiple of { $per }, and access the elements before it one by one
        [byte] begin this access at a byte whose offset is a multiple of { $bytes }, or access the bytes one by one
        [pointer] pass a pointer whose address is a multiple of { $bytes }, or access the elements one by one up to such an address
        [variable] declare { $near } with `__align__({ $bytes })`, or access its elements one by one
       *[unknown] begin this access at an address that is a multiple of { $bytes }, or access the elements one by one
    }
before-peer-starts = { $access } in shared memory of block { $block }, which may not have started
    .why = Blocks of a cluster start at different times. Nothing orders the start of block { $block } before this access.
    .fix = put a `cluster.sync()` that every thread of the cluster reaches before the first access to another block's memory
after-peer-ends = { $access } in shared memory of block { $block }, which may have ended
    .why = The shared memory of a block ends with its last thread. { $own ->
        [true] No thread of the block waits until the copy is done.
       *[false] Nothing orders this access before the end of block { $block }.
    }
    .fix = { $own ->
        [true] wait for the copy before the kernel ends: for its bulk group, or for the phase of its barrier
       *[false] put a `cluster.sync()` that every thread of the cluster reaches after the last access to another block's memory
    }
use-after-free = { $access } in memory that has been freed
    .why = { $heap ->
        [true] A thread freed this memory before the access.
       *[false] The host freed this memory before the launch.
    }
    .fix = { $heap ->
        [true] call `free` after the last use
       *[false] free the buffer after the last launch that uses it has ended
    }
no-image = { $surface ->
    [true] a surface access through { $handle }, which is no surface object
   *[false] a texture read through { $handle }, which is no texture object
}
    .why = { $surface ->
        [true] A surface function needs the handle that `cudaCreateSurfaceObject` gave, until it is destroyed.
       *[false] A texture function needs the handle that `cudaCreateTextureObject` gave, until it is destroyed.
    }
    .fix = { $surface ->
        [true] pass the `cudaSurfaceObject_t`, and destroy it after the last launch that uses it
       *[false] pass the `cudaTextureObject_t`, and destroy it after the last launch that uses it
    }
outside-surface = { $access } outside a surface: { $axis ->
    [x] x is { $at }, and a row has { $size } bytes
    [y] y is { $at }, and the surface has { $size } rows
    [z] z is { $at }, and the surface has { $size } slices
   *[layer] the layer is { $at }, and the surface has { $size } layers
}
    .why = With `cudaBoundaryModeTrap`, the default, a surface access outside the surface ends the kernel.
    .fix = { $axis ->
        [x] check x before the access. In surface functions x counts bytes: multiply the index by `sizeof` of the element
       *[y] check the coordinate against the size before the access
    }
freed-twice = a second `free` of a block of { $bytes } bytes
    .why = A thread has already freed this memory.
    .fix = call `free` once for each `malloc`, and set the pointer to null after it
freed-foreign = a `free` of an address that `malloc` did not return
    .why = On the device, only memory that device code allocated can be freed, by its first address.
    .fix = keep the pointer that `malloc` or `new` returned. The host frees what the host allocated
host-freed-twice = the host frees the same memory twice
    .why = An address is valid from its allocation to its first free.
    .fix = let one owner free it: one `DeviceBuffer`, or one `cudaFree`
no-code = { $entries ->
    [0] a call through a pointer to no function
   *[other] a jump with an index outside of its table of { $entries } entries
}
    .why = There is no code at that address.
    .fix = check the index or the pointer before the jump
stack-used-up = { $by_call ->
    [true] a call is deeper than the stack of a thread
   *[false] an allocation is larger than the stack of a thread
}
    .why = A thread has { $bytes } bytes of local memory, and at most { $most } nested calls.
    .fix = end the recursion earlier, or keep less in local arrays
outside-memory = outside any { $space } memory
