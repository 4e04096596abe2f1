// A Rust program on the driver API. Its kernel is `from_rust_kernel.cu`, as PTX, in the file that it is given.
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

#[link(name = "cuda")]
unsafe extern "C" {
    fn cuInit(flags: c_uint) -> c_int;
    fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) -> c_int;
    fn cuCtxSetCurrent(context: *mut c_void) -> c_int;
    fn cuModuleLoadData(module: *mut *mut c_void, image: *const c_void) -> c_int;
    fn cuModuleGetFunction(function: *mut *mut c_void, module: *mut c_void, name: *const c_char) -> c_int;
    fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> c_int;
    fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) -> c_int;
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) -> c_int;
    fn cuLaunchKernel(
        function: *mut c_void,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared: c_uint,
        stream: *mut c_void,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> c_int;
}

fn check(code: c_int) {
    assert_eq!(code, 0, "a CUDA call failed");
}

fn main() {
    let file = std::env::args().nth(1).expect("the kernel's PTX");
    let ptx = CString::new(std::fs::read(file).expect("a file")).expect("text");
    let mut numbers: Vec<u32> = (0..128).collect();
    let bytes = 4 * numbers.len();
    unsafe {
        let (mut context, mut module, mut function, mut data) = (null_mut(), null_mut(), null_mut(), 0);
        check(cuInit(0));
        check(cuDevicePrimaryCtxRetain(&mut context, 0));
        check(cuCtxSetCurrent(context));
        check(cuModuleLoadData(&mut module, ptx.as_ptr().cast()));
        check(cuModuleGetFunction(&mut function, module, c"rotate".as_ptr()));
        check(cuMemAlloc_v2(&mut data, bytes));
        check(cuMemcpyHtoD_v2(data, numbers.as_ptr().cast(), bytes));
        let mut parameters = [(&raw mut data).cast::<c_void>()];
        check(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, null_mut(), parameters.as_mut_ptr(), null_mut()));
        check(cuMemcpyDtoH_v2(numbers.as_mut_ptr().cast(), data, bytes));
    }
    println!("{} {} {}", numbers[0], numbers[126], numbers[127]);
}
