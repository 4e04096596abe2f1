### What lesson 1 says itself: its charts and its figure.

copy-rate = ladder: the driver's own copy inside the device: { $rate } GB/s, read and written
by-distance = { $kernel }: { $measure }, by { $by ->
    [stride] stride
   *[offset] offset
} in ints
too-far = { $n } elements at a distance of { $by } are too many

figure = What a load brings
by-width = By width of the type
by-stride = By stride
by-offset = By offset
bytes-a-thread = bytes per thread
stride-in-ints = stride in ints
offset-in-ints = offset in ints
bytes-of-load = bytes of each load of a warp
sectors-of-load = 32-byte sectors of each load of a warp
rate = GB/s, read and written
