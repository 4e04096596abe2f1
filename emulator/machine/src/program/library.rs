//! The device runtime's functions that are PTX, linked to whoever calls them.
//!
//! Copies and fills (CUDA Programming Guide, "CUDA Dynamic Parallelism", "Memory Declarations"): each launches a grid
//! into the stream, one thread for each word, the widest that fits addresses and size. So a copy is ordered and judged
//! as any other grid is. Only copies within the device are possible, as on a GPU. NVIDIA's library has kernels of its
//! own for this too.
//!
//! The barrier of a cooperative grid, for compilers without CUDA's header (numba calls these): the same word in memory
//! and the same meaning as in the header (`run/grid_barrier.rs`).
//!
//! The function that sets the condition of a graph's conditional node. A handle is the address of the condition's word,
//! which is allocated while a graph that has the handle runs. So a store races with the node's read as with any other.
//! Without such a graph the address is not valid, and a GPU reports an illegal address too.

use crate::exec::IS_WHOLE;
use ptx::ast::Module;

/// Functions that copy and set memory, each with its form for streams per thread.
const COPIES: [&str; 2] = ["__cudaCDP2MemcpyAsync", "__cudaCDP2MemsetAsync"];

const GRID_BARRIER: [&str; 2] = ["cudaCGGetIntrinsicHandle", "cudaCGSynchronize"];

const SET_CONDITION: [&str; 1] = ["cudaGraphSetConditional"];

/// Returns the PTX of the library functions that a program needs, one text for each group of functions that it
/// declares.
pub fn of(modules: &[Module]) -> Vec<String> {
    let needs = |names: &[&str]| {
        let is_one = |name: &str| names.contains(&name.strip_suffix("_ptsz").unwrap_or(name));
        let declares = |module: &Module| module.functions.iter().any(|it| it.body.is_none() && is_one(&it.name));
        modules.iter().any(declares)
    };
    let mut texts = Vec::new();
    if needs(&COPIES) {
        let forms = ["", "_ptsz"].map(|form| FORM.replace("$FORM", form));
        texts.push([HEAD, KERNELS, &forms[0], &forms[1]].concat());
    }
    // No page has a program that numba compiled, or a graph.
    if IS_WHOLE && needs(&GRID_BARRIER) {
        texts.push(BARRIER.to_string());
    }
    if IS_WHOLE && needs(&SET_CONDITION) {
        texts.push(CONDITION.to_string());
    }
    texts
}

/// The handle of a grid (scope 1) is the address of the word behind which its blocks count. Block 0 adds what turns the
/// highest bit once all others have added 1. The lines are those of a header, so that an access or a trap here is told
/// of the caller.
const BARRIER: &str = "
.version 8.0
.target sm_75
.address_size 64
.file 1 \"/include/cooperative_groups/device_runtime.h\"
.visible .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    .loc 1 1 0
    mov.u32 %r1, %envreg1;
    mov.u32 %r2, %envreg2;
    mov.b64 %rd1, {%r2, %r1};
    st.param.b64 [handle], %rd1;
    ret;
}
.visible .func (.param .b32 result) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
    .reg .pred %p<4>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<2>;
    .loc 1 2 0
    ld.param.b64 %rd1, [handle];
    setp.ne.u64 %p1, %rd1, 0;
    @%p1 bra ALL;
    trap;
ALL:
    barrier.sync 0;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %tid.y;
    mov.u32 %r3, %tid.z;
    or.b32 %r1, %r1, %r2;
    or.b32 %r1, %r1, %r3;
    setp.ne.u32 %p2, %r1, 0;
    @%p2 bra OUT;
    mov.u32 %r4, %nctaid.x;
    mov.u32 %r5, %nctaid.y;
    mul.lo.u32 %r4, %r4, %r5;
    mov.u32 %r5, %nctaid.z;
    mul.lo.u32 %r4, %r4, %r5;
    sub.u32 %r4, 0x80000001, %r4;
    mov.u32 %r5, %ctaid.x;
    mov.u32 %r6, %ctaid.y;
    mov.u32 %r7, %ctaid.z;
    or.b32 %r5, %r5, %r6;
    or.b32 %r5, %r5, %r7;
    setp.eq.u32 %p3, %r5, 0;
    selp.b32 %r4, %r4, 1, %p3;
    atom.add.release.gpu.u32 %r8, [%rd1+4], %r4;
WAIT:
    ld.acquire.gpu.u32 %r9, [%rd1+4];
    xor.b32 %r9, %r9, %r8;
    setp.gt.s32 %p3, %r9, -1;
    @%p3 bra WAIT;
OUT:
    barrier.sync 0;
    st.param.b32 [result], 0;
    ret;
}
";

const CONDITION: &str = "
.version 8.0
.target sm_75
.address_size 64
.file 1 \"/include/cuda_device_runtime_api.h\"
.visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    .loc 1 1 0
    ld.param.b64 %rd1, [handle];
    ld.param.b32 %r1, [value];
    st.global.u32 [%rd1], %r1;
    ret;
}
";

const HEAD: &str = "
.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b64 result) __cudaCDP2GetParameterBufferV2(
    .param .b64 kernel, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 result) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);
.extern .func (.param .b32 result) __cudaCDP2LaunchDeviceV2_ptsz(.param .b64 buffer, .param .b64 stream);
";

/// One form of each function: the widest word is of 1 to 16 bytes, and a block has 256 threads.
const FORM: &str = "
.visible .func (.param .b32 result) __cudaCDP2MemcpyAsync$FORM(
    .param .b64 to, .param .b64 from, .param .b64 bytes, .param .b32 kind, .param .b64 stream)
{
    .reg .pred %p<5>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [from];
    ld.param.u64 %rd3, [bytes];
    ld.param.u32 %r1, [kind];
    ld.param.u64 %rd4, [stream];
    mov.u32 %r2, 21; // cudaErrorInvalidMemcpyDirection
    setp.eq.u32 %p1, %r1, 3;
    setp.eq.u32 %p2, %r1, 4;
    or.pred %p1, %p1, %p2;
    @!%p1 bra END;
    mov.u32 %r2, 0;
    setp.eq.u64 %p3, %rd3, 0;
    @%p3 bra END;
    or.b64 %rd5, %rd1, %rd2;
    or.b64 %rd5, %rd5, %rd3;
    or.b64 %rd5, %rd5, 16;
    brev.b64 %rd5, %rd5;
    clz.b64 %r3, %rd5;
    shr.u64 %rd6, %rd3, %r3;
    add.u64 %rd7, %rd6, 255;
    shr.u64 %rd7, %rd7, 8;
    cvt.u32.u64 %r4, %rd7;
    {
    .param .b64 kernel;
    .param .align 4 .b8 grid[12];
    .param .align 4 .b8 block[12];
    .param .b32 shared;
    .param .b64 made;
    mov.u64 %rd8, cudaMemcpyAsync;
    st.param.b64 [kernel], %rd8;
    st.param.b32 [grid], %r4;
    st.param.b32 [grid+4], 1;
    st.param.b32 [grid+8], 1;
    st.param.b32 [block], 256;
    st.param.b32 [block+4], 1;
    st.param.b32 [block+8], 1;
    st.param.b32 [shared], 0;
    call.uni (made), __cudaCDP2GetParameterBufferV2, (kernel, grid, block, shared);
    ld.param.b64 %rd8, [made];
    }
    mov.u32 %r2, 69; // cudaErrorLaunchPendingCountExceeded
    setp.eq.u64 %p4, %rd8, 0;
    @%p4 bra END;
    st.u64 [%rd8], %rd1;
    st.u64 [%rd8+8], %rd2;
    st.u64 [%rd8+16], %rd6;
    st.u32 [%rd8+24], %r3;
    {
    .param .b64 buffer;
    .param .b64 line;
    .param .b32 code;
    st.param.b64 [buffer], %rd8;
    st.param.b64 [line], %rd4;
    call.uni (code), __cudaCDP2LaunchDeviceV2$FORM, (buffer, line);
    ld.param.b32 %r2, [code];
    }
END:
    st.param.b32 [result], %r2;
    ret;
}
.visible .func (.param .b32 result) __cudaCDP2MemsetAsync$FORM(
    .param .b64 to, .param .b32 value, .param .b64 bytes, .param .b64 stream)
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [to];
    ld.param.u32 %r1, [value];
    ld.param.u64 %rd3, [bytes];
    ld.param.u64 %rd4, [stream];
    mov.u32 %r2, 0;
    setp.eq.u64 %p1, %rd3, 0;
    @%p1 bra END;
    and.b32 %r1, %r1, 255;
    mul.lo.u32 %r1, %r1, 0x01010101;
    or.b64 %rd5, %rd1, %rd3;
    or.b64 %rd5, %rd5, 16;
    brev.b64 %rd5, %rd5;
    clz.b64 %r3, %rd5;
    shr.u64 %rd6, %rd3, %r3;
    add.u64 %rd7, %rd6, 255;
    shr.u64 %rd7, %rd7, 8;
    cvt.u32.u64 %r4, %rd7;
    {
    .param .b64 kernel;
    .param .align 4 .b8 grid[12];
    .param .align 4 .b8 block[12];
    .param .b32 shared;
    .param .b64 made;
    mov.u64 %rd8, cudaMemsetAsync;
    st.param.b64 [kernel], %rd8;
    st.param.b32 [grid], %r4;
    st.param.b32 [grid+4], 1;
    st.param.b32 [grid+8], 1;
    st.param.b32 [block], 256;
    st.param.b32 [block+4], 1;
    st.param.b32 [block+8], 1;
    st.param.b32 [shared], 0;
    call.uni (made), __cudaCDP2GetParameterBufferV2, (kernel, grid, block, shared);
    ld.param.b64 %rd8, [made];
    }
    mov.u32 %r2, 69;
    setp.eq.u64 %p2, %rd8, 0;
    @%p2 bra END;
    st.u64 [%rd8], %rd1;
    st.u64 [%rd8+8], %rd6;
    st.u32 [%rd8+16], %r3;
    st.u32 [%rd8+20], %r1;
    {
    .param .b64 buffer;
    .param .b64 line;
    .param .b32 code;
    st.param.b64 [buffer], %rd8;
    st.param.b64 [line], %rd4;
    call.uni (code), __cudaCDP2LaunchDeviceV2$FORM, (buffer, line);
    ld.param.b32 %r2, [code];
    }
END:
    st.param.b32 [result], %r2;
    ret;
}
";

/// The kernels of the grids: a word for each thread. `log` is the logarithm of a word's bytes.
const KERNELS: &str = "
.visible .entry cudaMemcpyAsync(.param .u64 to, .param .u64 from, .param .u64 words, .param .u32 log)
{
    .reg .pred %p<6>;
    .reg .b16 %h<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<10>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd1, %r1, 256;
    cvt.u64.u32 %rd2, %r2;
    add.u64 %rd1, %rd1, %rd2;
    ld.param.u64 %rd2, [words];
    setp.ge.u64 %p1, %rd1, %rd2;
    @%p1 ret;
    ld.param.u32 %r3, [log];
    ld.param.u64 %rd3, [to];
    ld.param.u64 %rd4, [from];
    shl.b64 %rd1, %rd1, %r3;
    add.u64 %rd3, %rd3, %rd1;
    add.u64 %rd4, %rd4, %rd1;
    setp.eq.u32 %p1, %r3, 0;
    setp.eq.u32 %p2, %r3, 1;
    setp.eq.u32 %p3, %r3, 2;
    setp.eq.u32 %p4, %r3, 3;
    @%p1 bra ONE;
    @%p2 bra TWO;
    @%p3 bra FOUR;
    @%p4 bra EIGHT;
    ld.v2.u64 {%rd5, %rd6}, [%rd4];
    st.v2.u64 [%rd3], {%rd5, %rd6};
    ret;
EIGHT:
    ld.u64 %rd5, [%rd4];
    st.u64 [%rd3], %rd5;
    ret;
FOUR:
    ld.u32 %r4, [%rd4];
    st.u32 [%rd3], %r4;
    ret;
TWO:
    ld.u16 %h1, [%rd4];
    st.u16 [%rd3], %h1;
    ret;
ONE:
    ld.u8 %h1, [%rd4];
    st.u8 [%rd3], %h1;
    ret;
}
.visible .entry cudaMemsetAsync(.param .u64 to, .param .u64 words, .param .u32 log, .param .u32 value)
{
    .reg .pred %p<6>;
    .reg .b16 %h<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<10>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd1, %r1, 256;
    cvt.u64.u32 %rd2, %r2;
    add.u64 %rd1, %rd1, %rd2;
    ld.param.u64 %rd2, [words];
    setp.ge.u64 %p1, %rd1, %rd2;
    @%p1 ret;
    ld.param.u32 %r3, [log];
    ld.param.u32 %r4, [value];
    ld.param.u64 %rd3, [to];
    shl.b64 %rd1, %rd1, %r3;
    add.u64 %rd3, %rd3, %rd1;
    setp.eq.u32 %p1, %r3, 0;
    setp.eq.u32 %p2, %r3, 1;
    setp.eq.u32 %p3, %r3, 2;
    setp.eq.u32 %p4, %r3, 3;
    cvt.u16.u32 %h1, %r4;
    mov.b64 %rd5, {%r4, %r4};
    @%p1 bra ONE;
    @%p2 bra TWO;
    @%p3 bra FOUR;
    @%p4 bra EIGHT;
    st.v2.u64 [%rd3], {%rd5, %rd5};
    ret;
EIGHT:
    st.u64 [%rd3], %rd5;
    ret;
FOUR:
    st.u32 [%rd3], %r4;
    ret;
TWO:
    st.u16 [%rd3], %h1;
    ret;
ONE:
    st.u8 [%rd3], %h1;
    ret;
}
";
