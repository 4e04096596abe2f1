//! `launch!` as in `cust`, with the arguments checked against the kernel's parameters first.
//!
//! `cuLaunchKernel` gets an array of untyped pointers. A `usize` where the kernel has an `int`, or one argument too
//! few, is not noticed by any driver: the kernel reads whatever lies there. The PTX knows better, because every
//! `.param` has a width.

use cust_raw::CUresult;
use emulator::Parameter;
use std::any::type_name;
use std::fmt;

/// One argument of a launch: what Rust knows about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    pub bytes: usize,
    pub ty: &'static str,
}

impl Argument {
    /// Takes the type of the expression without running it.
    pub fn of<T>(_: impl FnOnce() -> T) -> Argument {
        Argument { bytes: size_of::<T>(), ty: type_name::<T>() }
    }
}

/// Says which argument does not fit the kernel.
pub(crate) fn check(kernel: &str, parameters: &[Parameter], arguments: &[Argument]) -> anyhow::Result<()> {
    if arguments.len() != parameters.len() {
        let types: Vec<&str> = parameters.iter().map(|parameter| parameter.ty.as_str()).collect();
        let (takes, given) = (parameters.len(), arguments.len());
        anyhow::bail!(say!("argument-count", kernel, takes, given, types = types.join(", ")));
    }
    for (number, (parameter, argument)) in (1..).zip(parameters.iter().zip(arguments)) {
        if argument.bytes != parameter.bytes as usize {
            anyhow::bail!(say!(
                "argument-size",
                number = number as u32,
                kernel,
                bytes = argument.bytes,
                ty = argument.ty,
                declared = parameter.bytes,
                declared_ty = &parameter.ty,
                advice = advice(argument, parameter)
            ));
        }
    }
    Ok(())
}

fn advice(argument: &Argument, parameter: &Parameter) -> String {
    match (argument.ty, parameter.bytes) {
        ("usize" | "isize" | "u64" | "i64", 4) => say!("advice-int"),
        ("f64", 4) => say!("advice-float"),
        ("i32" | "u32", 8) => say!("advice-long"),
        ("f32", 8) => say!("advice-double"),
        _ => String::new(),
    }
}

/// `launch!(function<<<grid, block, shared bytes, stream>>>(arguments))`: cust's macro, for a
/// [`Function`](crate::Function).
///
/// Before it launches, it compares the number of arguments and each one's size with the kernel's parameters, and on a
/// GPU it takes the time. The launch itself is `cust::launch!`, and as unsafe as that.
#[macro_export]
macro_rules! launch {
    ($function:ident <<<$grid:expr, $block:expr, $shared:expr, $stream:ident>>>( $( $arg:expr ),* $(,)? )) => {
        match $function.before_launch(&$stream, &[ $( $crate::Argument::of(|| $arg) ),* ]) {
            Ok(()) => match $crate::cust::launch!($function<<<$grid, $block, $shared, $stream>>>( $( $arg ),* )) {
                Ok(()) => $function.after_launch(&$stream),
                Err(error) => Err($function.launch_error(error)),
            },
            Err(error) => Err(error),
        }
    };
}

/// [`launch!`] as a cooperative launch (`cuLaunchCooperativeKernel`): all blocks are there at once, or it is refused
/// with [`LaunchRefused`]. `cust` has no macro for it.
#[macro_export]
macro_rules! launch_cooperative {
    ($function:ident <<<$grid:expr, $block:expr, $shared:expr, $stream:ident>>>( $( $arg:expr ),* $(,)? )) => {
        match $function.before_launch(&$stream, &[ $( $crate::Argument::of(|| $arg) ),* ]) {
            Ok(()) => {
                let grid: $crate::cust::function::GridSize = $grid.into();
                let block: $crate::cust::function::BlockSize = $block.into();
                let code = $crate::cust_raw::cuLaunchCooperativeKernel(
                    $function.to_raw(),
                    grid.x,
                    grid.y,
                    grid.z,
                    block.x,
                    block.y,
                    block.z,
                    $shared,
                    $stream.as_inner(),
                    [ $( ::std::ptr::from_ref(&$arg).cast_mut().cast::<::std::ffi::c_void>() ),* ].as_mut_ptr(),
                );
                $function.after_cooperative_launch(&$stream, code)
            }
            Err(error) => Err(error),
        }
    };
}

/// [`launch!`] as a dependent launch (`cuLaunchKernelEx` with programmatic stream serialization): the kernel may begin
/// before the launch ahead of it in the stream has ended. Only `cudaGridDependencySynchronize()` in the kernel waits
/// for that one. Such kernels need compute capability 9.0.
///
/// No time is taken on a GPU: an event between two launches would order them.
#[macro_export]
macro_rules! launch_dependent {
    ($function:ident <<<$grid:expr, $block:expr, $shared:expr, $stream:ident>>>( $( $arg:expr ),* $(,)? )) => {
        match $function.check_arguments(&[ $( $crate::Argument::of(|| $arg) ),* ]) {
            Ok(()) => $function.launch_dependent(
                ($grid.into(), $block.into()),
                $shared,
                &$stream,
                &mut [ $( ::std::ptr::from_ref(&$arg).cast_mut().cast::<::std::ffi::c_void>() ),* ],
            ),
            Err(error) => Err(error),
        }
    };
}

/// A launch that the driver did not take, and its code: `CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE` where not all blocks
/// can be there at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchRefused(pub CUresult);

impl fmt::Display for LaunchRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&say!("launch-refused", code = format!("{:?}", self.0)))
    }
}

impl std::error::Error for LaunchRefused {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        [("u64", 8), ("u32", 4)]
            .iter()
            .enumerate()
            .map(|(i, &(ty, bytes))| Parameter {
                name: format!("sum_param_{i}"),
                offset: 8 * i as u32,
                bytes,
                align: bytes,
                ty: ty.to_string(),
            })
            .collect()
    }

    #[test]
    fn matching_arguments_pass() {
        let arguments = [Argument::of(|| 1u64), Argument::of(|| 1i32)];
        assert!(check("sum", &parameters(), &arguments).is_ok());
    }

    #[test]
    fn a_usize_for_an_int_is_named() {
        let text =
            check("sum", &parameters(), &[Argument::of(|| 1u64), Argument::of(|| 1usize)]).unwrap_err().to_string();
        assert_eq!(
            text,
            "argument 2 of `sum` has 8 bytes (`usize`), but the kernel declares 4 bytes (`.u32`); \
             an `int` is `as i32` in Rust, an `unsigned` is `as u32`"
        );
    }

    #[test]
    fn a_missing_argument_is_counted() {
        let text = check("sum", &parameters(), &[Argument::of(|| 1u64)]).unwrap_err().to_string();
        assert_eq!(text, "`sum` takes 2 arguments and was given 1; its parameters are (u64, u32)");
    }

    #[test]
    fn an_argument_is_described_without_being_evaluated() {
        let argument = Argument::of(|| -> f64 { unreachable!("only the type matters") });
        assert_eq!(argument, Argument { bytes: 8, ty: "f64" });
    }
}
