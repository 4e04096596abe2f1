//! Handles of every kind, and the arguments of a function that takes one.

use cust_raw::*;
use driver::Entry;
use driver::newer::*;
use std::ptr::{null, null_mut};

/// Types that are handles, or addresses on the device.
#[rustfmt::skip]
const TYPES: [&str; 25] = [
    "CUarray", "CUcontext", "CUdeviceptr", "CUevent", "CUexternalMemory", "CUexternalSemaphore", "CUfunction",
    "CUgraph",
    "CUgraphExec", "CUgraphNode", "CUgraphicsResource", "CUkernel", "CUlibrary", "CUlinkState",
    "CUmemGenericAllocationHandle",
    "CUmemoryPool", "CUmipmappedArray", "CUmodule", "CUstream", "CUsurfObject", "CUsurfref", "CUtexObject", "CUtexref",
    "CUuserObject", "Handle",
];

/// The arguments that the runtime's functions take for an address of a kernel or of a variable, and look up.
const LOOKED_UP: [&str; 2] = ["kernel", "symbol"];

/// Words behind each pointer, more than the largest structure has.
const ROOM: usize = 1 << 10;

/// A function's arguments, of which one is a handle at least.
pub struct Arguments(&'static [(&'static str, &'static str)]);

/// The memory that a function may read and write.
pub struct Room(Vec<[usize; ROOM]>);

impl Room {
    pub fn new() -> Room {
        Room(vec![[0; ROOM]; super::WORDS])
    }

    pub fn clear(&mut self) {
        self.0.fill([0; ROOM]);
    }
}

fn is_handle((name, ty): (&str, &str)) -> bool {
    TYPES.contains(&ty) || (ty == "*const c_void" && LOOKED_UP.contains(&name))
}

/// A list of handles, of which a function reads as many as it is told.
fn is_list(ty: &str) -> bool {
    ty.strip_prefix("*const ").or_else(|| ty.strip_prefix("*mut ")).is_some_and(|of| TYPES.contains(&of))
}

impl Arguments {
    pub fn of(entry: &Entry) -> Option<Arguments> {
        let passed_as_word = |(_, ty): (&str, &str)| !["Extent", "Pitched", "Dim3"].contains(&ty);
        let list = entry.arguments;
        (list.iter().any(|argument| is_handle(*argument)) && list.iter().all(|argument| passed_as_word(*argument)))
            .then_some(Arguments(list))
    }

    /// This handle for each, room for what a pointer is for, null for a function, and 1 for a number.
    pub fn words(&self, handle: usize, room: &mut Room) -> [usize; super::WORDS] {
        let mut words = [0; super::WORDS];
        for ((word, room), (name, ty)) in words.iter_mut().zip(&mut room.0).zip(self.0) {
            *word = match *ty {
                ty if is_handle((name, ty)) => handle,
                ty if is_list(ty) => {
                    room.fill(handle);
                    room.as_mut_ptr() as usize
                }
                ty if ty.starts_with('*') => room.as_mut_ptr() as usize,
                ty if ["Fn", "Function", "Callback", "B2DSize"]
                    .iter()
                    .any(|end| ty.trim_end_matches('>').ends_with(end)) =>
                {
                    0
                }
                _ => 1,
            };
        }
        words
    }
}

/// Numbers that never were a handle: small, odd, in no page of a process.
pub fn wild() -> Vec<usize> {
    vec![0x10, 0x123_4567, 0xdead_beef, 0xdead_beef_0000, 1 << 63, usize::MAX]
}

const PTX: &std::ffi::CStr = c".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry kernel() { ret; }\n";

fn done(code: CUresult) {
    assert_eq!(code, CUresult::CUDA_SUCCESS);
}

/// One of each kind that a program can make, in a context of their own. `destroy` ends them all again.
pub fn one_of_each(destroy: bool) -> Vec<usize> {
    let (mut context, mut stream, mut event, mut link) = (null_mut(), null_mut(), null_mut(), null_mut());
    let (mut graph, mut node, mut executable, mut pool) = (null_mut(), null_mut(), null_mut(), null_mut());
    let (mut module, mut function, mut library, mut kernel) = (null_mut(), null_mut(), null_mut(), null_mut());
    let (mut memory, mut managed) = (0, 0);
    let (no_options, no_values) = (null_mut(), null_mut());
    // SAFETY: out-pointers to locals, PTX with its NUL, and handles that a call before gave.
    unsafe {
        done(cuInit(0));
        done(cuCtxCreate_v2(&mut context, 0, 0));
        done(cuStreamCreate(&mut stream, 0));
        done(cuEventCreate(&mut event, 0));
        done(cuGraphCreate(&mut graph, 0));
        done(cuGraphAddEmptyNode(&mut node, graph, null(), 0));
        done(cuGraphInstantiateWithFlags(&mut executable, graph, 0));
        done(cuLinkCreate_v2(0, null_mut(), null_mut(), &mut link));
        done(cuMemAlloc_v2(&mut memory, 64));
        done(cuMemAllocManaged(&mut managed, 64, 1));
        done(cuDeviceGetDefaultMemPool(&mut pool, 0));
        done(cuModuleLoadData(&mut module, PTX.as_ptr().cast()));
        done(cuModuleGetFunction(&mut function, module, c"kernel".as_ptr()));
        done(cuLibraryLoadData(&mut library, PTX.as_ptr().cast(), no_options, no_values, 0, null_mut(), null_mut(), 0));
        done(cuLibraryGetKernel(&mut kernel, library, c"kernel".as_ptr()));
        if destroy {
            done(cuLibraryUnload(library));
            done(cuModuleUnload(module));
            done(cuMemFree_v2(managed));
            done(cuMemFree_v2(memory));
            done(cuLinkDestroy(link));
            done(cuGraphExecDestroy(executable));
            done(cuGraphDestroy(graph));
            done(cuEventDestroy_v2(event));
            done(cuStreamDestroy_v2(stream));
            done(cuCtxDestroy_v2(context));
        }
    }
    // The default pool is never gone, and where managed memory was there may be memory of the host's own now.
    let lasting = [pool as usize, managed as usize];
    let handles = [
        context as usize,
        stream as usize,
        event as usize,
        link as usize,
        graph as usize,
        node as usize,
        executable as usize,
        module as usize,
        function as usize,
        library as usize,
        kernel as usize,
        memory as usize,
    ];
    handles.into_iter().chain(lasting.into_iter().filter(|_| !destroy)).collect()
}
