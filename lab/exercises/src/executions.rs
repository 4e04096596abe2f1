//! All executions of kernels of the lessons at a size of a few threads, as data: `cargo xtask drawings` draws them.

use anyhow::{Context, Result, bail};
use emulator::explore::{Bounds, Location, Visited};
use emulator::{Device, HostMemory, HostOrder, LaunchConfig, LaunchExecution, Profile, Program};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const BOUNDS: Bounds = Bounds { executions: 1000, runs: u64::MAX, time: Duration::from_secs(60) };

/// A launch of a lesson's kernel. Its parameters are buffers of ints, and their length.
struct Explored {
    file: &'static str,
    kernel: &'static str,
    threads: u32,
    parameters: &'static [Parameter],
    /// The buffer that is compared, and the ints that it should hold.
    expected: (usize, &'static [i32]),
}

enum Parameter {
    Buffer(&'static [i32]),
    Length,
}

const EXPLORED: [Explored; 2] = [
    Explored {
        file: "lesson02/reverse.ptx",
        kernel: "reverse_broken",
        threads: 2,
        parameters: &[Parameter::Buffer(&[7, 9]), Parameter::Length],
        expected: (0, &[9, 7]),
    },
    Explored {
        file: "lesson04/lock.ptx",
        kernel: "lock_correct",
        threads: 3,
        parameters: &[
            Parameter::Buffer(&[1, 1, 1]),
            Parameter::Length,
            Parameter::Buffer(&[0]),
            Parameter::Buffer(&[0]),
        ],
        expected: (1, &[3]),
    },
];

/// An execution as a graph.
#[derive(Serialize)]
struct DrawnExecution {
    events: Vec<DrawnEvent>,
    has_race: bool,
    is_right: bool,
}

/// An access.
#[derive(Serialize)]
struct DrawnEvent {
    thread: usize,
    /// The number of its location, by address.
    location: usize,
    reads: bool,
    writes: bool,
    /// The number of the event that it reads from. Absent for the initial value.
    source: Option<usize>,
}

/// Prints the executions of all kernels that are drawn, by their names.
pub fn print() -> Result<()> {
    let all = EXPLORED.iter().map(|explored| Ok((explored.kernel, explored.visit()?)));
    println!("{}", serde_json::to_string(&all.collect::<Result<BTreeMap<_, _>>>()?)?);
    Ok(())
}

impl Explored {
    fn visit(&self) -> Result<Vec<DrawnExecution>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cuda/ptx").join(self.file);
        let ptx = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let program = Program::from_ptx(&[&ptx]).map_err(|error| anyhow::anyhow!("{}: {error:?}", self.file))?;
        let kernel = program.kernels().iter().position(|kernel| kernel.name == self.kernel);
        let kernel = kernel.with_context(|| format!("there is no {}", self.kernel))?;
        let mut device = Device::new(Profile::default());
        let program = Arc::new(program);
        let module = device.load(&program).map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let (mut block, buffers) = self.parameters(&mut device)?;
        block.truncate(program.kernels()[kernel].parameter_bytes as usize);
        let shape = LaunchConfig {
            grid: [1; 3],
            block: [self.threads, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            cluster: None,
        };
        let (mut all, mut round) = (Vec::new(), 0);
        let (place, expected) = (buffers[self.expected.0], self.expected.1);
        let mut visit = |execution: &LaunchExecution| {
            if std::mem::replace(&mut round, execution.round) != execution.round {
                all.clear();
            }
            if execution.number > all.len() as u64 {
                all.push(drawn(execution.graph));
            }
            let held = execution.memory.region(place).map(|region| {
                (0..expected.len() as u64).map(|at| region.load::<u32>(place + 4 * at) as i32).collect::<Vec<_>>()
            });
            if let Some(last) = all.last_mut() {
                last.is_right &= held.as_deref() == Some(expected);
            }
            ControlFlow::Continue(())
        };
        let summary = device.explore(&module, kernel, &shape, &block, BOUNDS, &mut visit);
        let summary = summary.map_err(|error| anyhow::anyhow!("{}: {error:?}", self.kernel))?;
        if !summary.is_complete {
            bail!("{} is not explored: {summary:?}", self.kernel);
        }
        Ok(all)
    }

    /// Allocates the buffers. Returns the block of parameters and the buffers' addresses.
    fn parameters(&self, device: &mut Device) -> Result<(Vec<u8>, Vec<u64>)> {
        let (mut block, mut buffers) = (Vec::new(), Vec::new());
        let broken = |error| anyhow::anyhow!("no memory: {error:?}");
        for parameter in self.parameters {
            match parameter {
                // Four bytes of padding: a pointer follows, if anything.
                Parameter::Length => block.extend(u64::from(self.threads).to_le_bytes()),
                Parameter::Buffer(ints) => {
                    let bytes: Vec<u8> = ints.iter().flat_map(|int| int.to_le_bytes()).collect();
                    let address = device.allocate(bytes.len() as u64, HostMemory::Device).map_err(broken)?;
                    device.write(address, &bytes, &HostOrder::default()).map_err(broken)?;
                    block.extend(address.to_le_bytes());
                    buffers.push(address);
                }
            }
        }
        Ok((block, buffers))
    }
}

fn drawn(graph: &Visited) -> DrawnExecution {
    let execution = graph.execution;
    let locations: Vec<Location> = execution.accesses().into_keys().collect();
    let accesses: Vec<usize> =
        (0..execution.len()).filter(|&event| execution.actions[event].access().is_some()).collect();
    let number = |event: usize| accesses.iter().position(|&access| access == event);
    let event = |&event: &usize| {
        let action = &execution.actions[event];
        DrawnEvent {
            thread: execution.ids[event].thread,
            location: locations.iter().position(|location| Some(*location) == action.location()).unwrap_or(0),
            reads: action.reads(),
            writes: action.writes(),
            source: execution.source[event].and_then(number),
        }
    };
    let events = accesses.iter().map(event).collect();
    DrawnExecution { events, has_race: !graph.races.is_empty(), is_right: true }
}
