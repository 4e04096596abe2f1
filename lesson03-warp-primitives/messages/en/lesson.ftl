### What lesson 3 says itself: the titles of its pictures, and the masks that it saw.

even-lanes = even lanes only: { $call }
half-warp = 16 threads: { $call }
twenty-lanes = 20 lanes in the mask: { $call }
votes = 24 lanes vote, mask { $mask }
masks = __activemask() after the loop: all 32 lanes in { $whole } of { $runs } runs; { $others } other masks in the rest
lanes-of-mask = { $count } of 32 lanes
met-again = The lanes met again at the end of the loop. Nothing guarantees that they do.
