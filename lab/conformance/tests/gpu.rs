//! The emulator's conformance files on a real GPU, through `cust`.
//!
//! Each file runs in a process of its own with a time limit, for a fault ends a CUDA
//! context and a hang ends nothing. To take the test to another machine, copy the binary
//! that `cargo test -p conformance --release --test gpu --no-run` names in `lab/`, and the folder
//! `emulator/tests/conformance`; `gpu FOLDER` runs what is in it.

use conformance::{Job, JobOutcome, Machine, Parameter};
use cust::error::CudaError;
use cust::memory::DeviceBuffer;
use cust::prelude::*;
use cust_raw::{CUresult, cuLaunchCooperativeKernel};
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, file] = arguments.as_slice()
        && flag == "--one-file"
    {
        return one_file(Path::new(file));
    }
    if let Err(why) = driver::choose(driver::Choice::Gpu, None) {
        skipped::because(skipped::GPU, &why.to_string());
        return ExitCode::SUCCESS;
    }
    let given = arguments.into_iter().find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let folder = given.unwrap_or_else(conformance::folder);
    let files = match conformance::files(&folder) {
        Ok(files) if !files.is_empty() => files,
        Ok(_) => return fail(&format!("{} holds no .ptx file", folder.display())),
        Err(error) => return fail(&format!("{}: {error}", folder.display())),
    };
    let mut failed = 0;
    for file in &files {
        if let Err(text) = in_its_own_process(file) {
            failed += 1;
            println!("{}: {}", file.display(), text.trim_end());
        }
    }
    println!("{} files on the GPU, {failed} failed", files.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn fail(text: &str) -> ExitCode {
    println!("{text}");
    ExitCode::FAILURE
}

fn in_its_own_process(file: &Path) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .arg("--one-file")
        .arg(file)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let start = Instant::now();
    while start.elapsed() < LIMIT {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            let output = child.wait_with_output().map_err(|error| error.to_string())?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            return if output.status.success() { Ok(()) } else { Err(text) };
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    Err(format!("no end after {} s", LIMIT.as_secs()))
}

fn one_file(file: &Path) -> ExitCode {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return fail(&error.to_string()),
    };
    if let Err(error) = driver::choose(driver::Choice::Gpu, None) {
        return fail(&error.to_string());
    }
    let context = match cust::quick_init() {
        Ok(context) => context,
        Err(error) => return fail(&error.to_string()),
    };
    let verdict = conformance::check(&text, &mut Gpu);
    // A fault has ended the context already; then there is nothing left to close.
    std::mem::forget(context);
    match verdict {
        Ok(_) => ExitCode::SUCCESS,
        Err(failures) => fail(&failures.join("\n")),
    }
}

struct Gpu;

impl Machine for Gpu {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn run(&mut self, job: &Job) -> Result<JobOutcome, String> {
        let module = match Module::from_ptx(job.ptx, &[]) {
            Ok(module) => module,
            Err(error) => return Ok(JobOutcome::Refused(error.to_string())),
        };
        let error = |error: CudaError| error.to_string();
        let function = module.get_function(job.kernel).map_err(error)?;
        let stream = Stream::new(StreamFlags::DEFAULT, None).map_err(error)?;

        let (mut buffers, mut values) = (Vec::new(), Vec::new());
        for parameter in &job.parameters {
            // Eight aligned bytes hold any parameter that a conformance file has.
            let mut value = [0; 8];
            match parameter {
                Parameter::Scalar(bytes) => value[..bytes.len()].copy_from_slice(bytes),
                Parameter::Buffer { bytes, .. } => {
                    let buffer = DeviceBuffer::from_slice(bytes).map_err(error)?;
                    value = buffer.as_device_ptr().as_raw().to_le_bytes();
                    buffers.push(buffer);
                }
            }
            values.push(u64::from_le_bytes(value));
        }
        let pointers: Vec<*mut c_void> = values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
        let ([gx, gy, gz], [bx, by, bz]) = (job.grid, job.block);
        let launched = if job.cooperative {
            let (kernel, on, values) = (function.to_raw(), stream.as_inner(), pointers.as_ptr().cast_mut());
            // SAFETY: as below.
            match unsafe { cuLaunchCooperativeKernel(kernel, gx, gy, gz, bx, by, bz, job.shared, on, values) } {
                CUresult::CUDA_SUCCESS => Ok(()),
                code => return Ok(JobOutcome::Refused(format!("{code:?}"))),
            }
        } else {
            // SAFETY: one value a parameter, each at least as wide as the file declares it; a file that
            // declares too few is a mistake in a test of this repository.
            unsafe { stream.launch(&function, (gx, gy, gz), (bx, by, bz), job.shared, pointers.as_slice()) }
        };
        let fault = launched.and_then(|()| stream.synchronize()).err().map(fault_name);
        let mut contents = Vec::new();
        for buffer in buffers {
            let mut bytes = vec![0; buffer.len()];
            if fault.is_some() {
                std::mem::forget(buffer);
            } else {
                buffer.copy_to(&mut bytes).map_err(error)?;
            }
            contents.push(bytes);
        }
        if fault.is_some() {
            std::mem::forget((stream, module));
        }
        Ok(JobOutcome::Ran { buffers: contents, printed: None, fault, findings: Vec::new() })
    }
}

fn fault_name(error: CudaError) -> String {
    match error {
        CudaError::IllegalAddress => "illegal-address".into(),
        CudaError::MisalignedAddress => "misaligned-address".into(),
        CudaError::IllegalInstruction => "illegal-instruction".into(),
        CudaError::AssertError => "assert".into(),
        CudaError::LaunchFailed => "launch-failed".into(),
        CudaError::LaunchTimeout => "timeout".into(),
        other => other.to_string(),
    }
}
