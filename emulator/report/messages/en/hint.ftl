### What is no bug by itself, and worth a word where an answer is wrong.

active-mask = { $inside ->
    [true] this line takes the lanes that happen to run together: it calls `__activemask()` inside
   *[false] `__activemask()` names the lanes that happen to run together
}
    .why = The lanes of a warp need not stay together, so the mask can name fewer lanes than take part.{ $differ ->
        [true] {" "}Between two calls lanes can part, and then the two masks differ.
       *[false] {""}
    }
    .fix = { $differ ->
        [true] use the mask of (1) in both lines. It is best made by `__ballot_sync()`, before the lanes take different paths
       *[false] { $inside ->
            [true] no change is needed if any group of lanes will do. If certain lanes must take part, make the group before the branch, by `cg::tiled_partition<32>()`
           *[false] make the mask by `__ballot_sync()` before the branch, or let every lane take part with a neutral value
        }
    }
shuffle-beyond = a shuffle past the end of the warp or group returns the lane's own value
    .why = `{ $function }` reads another lane only where there is one. These lanes got their own values back.
    .fix = use the result only in lanes { $direction ->
        [up] from `offset` on
        [down] for which lane + offset is below 32, or below the width
       *[none] whose other lane exists
    }. If all lanes need the whole result, use `__shfl_xor_sync()`
swap-failed-unseen = a compare-and-swap failed, and the kernel did not check
    .why = `atomicCAS()` writes only if the memory still holds the expected value. Here it wrote nothing, and nothing uses the value that it returned.
    .fix = compare what it returns with what it expected, and try again in a loop. Or use one atomic operation, such as `atomicAdd()`
