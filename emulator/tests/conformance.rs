//! Every file in `tests/conformance/` on the emulator: fast and checked, in order and by several seeds.

use conformance::{Job, Machine, Outcome, Parameter};
use emulator::{Checks, Config, Device, Fault, LaunchConfig, LaunchError, Order, Place, Policy, Profile, Program};
use std::path::Path;
use std::sync::Arc;

/// Thread instructions; the largest file needs some 100 thousand.
const FUEL: u64 = 1 << 24;

struct Emulated {
    config: Config,
}

impl Machine for Emulated {
    fn name(&self) -> &'static str {
        "emulator"
    }

    fn run(&mut self, job: &Job) -> Result<Outcome, String> {
        let order = Order::default();
        let mut device = Device::new(Profile::default());
        device.configure(self.config.clone());
        let program = match Program::from_ptx(&[job.ptx]) {
            Ok(program) => Arc::new(program),
            Err(error) => return Ok(Outcome::Refused(format!("line {}: {}", error.line, error.message))),
        };
        let kernel = program.kernels().iter().position(|kernel| kernel.name == job.kernel);
        let kernel = kernel.ok_or(format!("there is no kernel `{}`", job.kernel))?;
        let module = device.load(&program).map_err(|error| format!("{error:?}"))?;

        let declared = &program.kernels()[kernel].parameters;
        if declared.len() != job.parameters.len() {
            return Err(format!("{} arguments for {} parameters", job.parameters.len(), declared.len()));
        }
        let mut block = vec![0; program.kernels()[kernel].parameter_bytes as usize];
        let mut buffers = Vec::new();
        for (parameter, declared) in job.parameters.iter().zip(declared) {
            let value = match parameter {
                Parameter::Scalar(value) => value.clone(),
                Parameter::Buffer { bytes, defined, reads } => {
                    let length = bytes.len() as u64;
                    let address = device.allocate(length, Place::Device).map_err(|error| format!("{error:?}"))?;
                    device.write(address, bytes, &order).map_err(|error| format!("{error:?}"))?;
                    if !defined {
                        device.mark_undefined(address, length).map_err(|error| format!("{error:?}"))?;
                    }
                    buffers.push((address, bytes.clone(), reads));
                    address.to_le_bytes().to_vec()
                }
            };
            if value.len() != declared.bytes as usize {
                return Err(format!("`{}` has {} bytes, the argument {}", declared.name, declared.bytes, value.len()));
            }
            block[declared.offset as usize..][..value.len()].copy_from_slice(&value);
        }

        let shape =
            LaunchConfig { grid: job.grid, block: job.block, dynamic_shared: job.shared, cooperative: job.cooperative };
        let report = match device.launch(&module, kernel, &shape, &block, &order) {
            Ok(report) => report,
            Err(LaunchError::Unsupported(unsupported)) => {
                return Ok(Outcome::Refused(format!("line {}: {}", unsupported.line, unsupported.what)));
            }
            Err(other) => return Err(format!("{other:?}")),
        };
        let mut findings: Vec<String> =
            report.findings.iter().filter(|finding| !finding.benign).map(|finding| finding.slug.to_string()).collect();
        if report.fault.is_none() {
            for (address, bytes, reads) in &mut buffers {
                for range in reads.iter() {
                    let found = device
                        .read(*address + range.start as u64, &mut bytes[range.clone()], &order)
                        .map_err(|error| format!("{error:?}"))?;
                    findings.extend(found.iter().map(|finding| finding.slug.to_string()));
                }
            }
        }
        Ok(Outcome::Ran {
            buffers: buffers.into_iter().map(|(_, bytes, _)| bytes).collect(),
            printed: Some(String::from_utf8_lossy(&report.printed).into_owned()),
            fault: report.fault.as_ref().map(fault_name),
            findings,
        })
    }
}

fn fault_name(fault: &Fault) -> String {
    match fault {
        Fault::IllegalAddress => "illegal-address".into(),
        Fault::MisalignedAddress => "misaligned-address".into(),
        Fault::IllegalInstruction => "illegal-instruction".into(),
        Fault::Assert => "assert".into(),
        Fault::LaunchFailed => "launch-failed".into(),
        Fault::Timeout => "timeout".into(),
        Fault::StackOverflow => "stack-overflow".into(),
        Fault::Internal(text) => format!("an error of the emulator: {text}"),
    }
}

/// Each way to run, by name.
fn configurations() -> Vec<(String, Config)> {
    let config = |checks, policy, workers| Config { checks, policy, workers, fuel: FUEL };
    let mut all = vec![
        ("fast".to_string(), config(Checks::Fast, Policy::InOrder, 1)),
        // Of two workers the host may put one aside while the other spins: that is no livelock.
        ("fast on two cores".to_string(), Config { fuel: 1 << 33, ..config(Checks::Fast, Policy::InOrder, 2) }),
        ("in order".to_string(), config(Checks::Full, Policy::InOrder, 1)),
    ];
    all.extend((0..6).map(|seed| (format!("random {seed}"), config(Checks::Full, Policy::Random { seed }, 1))));
    all.extend(
        (0..4).map(|seed| (format!("adversarial {seed}"), config(Checks::Full, Policy::Adversarial { seed }, 1))),
    );
    all
}

#[test]
fn every_file_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let files = conformance::files(&folder).expect("the folder is there");
    // `CONFORMANCE=name` runs the files whose names hold it.
    let wanted = std::env::var("CONFORMANCE").unwrap_or_default();
    let (mut runs, mut failures) = (0, Vec::new());
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.contains(&wanted) {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("readable");
        for (way, config) in configurations() {
            match conformance::check(&text, &mut Emulated { config }) {
                Ok(count) => runs += count,
                Err(found) => {
                    failures.extend(found.into_iter().map(|failure| format!("{name}, {failure} ({way})")));
                    break; // The other ways mostly say the same.
                }
            }
        }
    }
    println!("{} files, {runs} launches", files.len());
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    assert!(runs > 0, "nothing ran");
}
