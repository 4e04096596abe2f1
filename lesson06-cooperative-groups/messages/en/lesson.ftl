### What lesson 6 says itself.

too-many-at-once = grid_reverse: as it should be, { $refused } ({ $blocks } blocks, one more than fit on the device at once)
