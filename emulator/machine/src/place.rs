//! What lies at an address, as a person would say it: `partial[128]`, element 5 of what an argument points to.

use crate::code::{Part, SharedVariable};
use crate::memory::space::Space;
use crate::run::launch::Launch;
use crate::types::Allocation;
use finding::{Argument, names, numbered};

/// A place in words, and the argument that leads there.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub argument: Option<Argument>,
}

/// The shared variable that holds an address, with its element's index; `None` for other spaces.
pub fn of_address(part: &Part, space: Space, address: u64, bytes: u32) -> Option<String> {
    if space != Space::Shared {
        return None;
    }
    let holds = |variable: &&SharedVariable| {
        address >= variable.offset && (variable.bytes == 0 || address - variable.offset < variable.bytes)
    };
    let variable = part.shared.iter().rev().find(holds)?;
    let name = names::plain(&variable.name);
    let offset = address - variable.offset;
    // nvcc declares every array as bytes; the access's own size is the better element.
    let element = if variable.element > 1 { variable.element } else { bytes.max(1) };
    if variable.bytes == u64::from(element) {
        return Some(name);
    }
    Some(format!("{name}[{}]", offset / u64::from(element)))
}

/// The `bytes` bytes at `address`: a variable with its index, or part of what an argument points to. Rows of a
/// two-dimensional array are not told apart: PTX has flat bytes.
pub fn of(launch: &Launch, space: Space, address: u64, bytes: u32) -> Place {
    let named = |text: String| Place { text, argument: None };
    let bytes = bytes.max(1);
    if let Some(name) = of_address(launch.part, space, address, bytes) {
        return named(format!("`{name}`"));
    }
    if space == Space::Global {
        if let Some((name, offset, whole)) = variable(launch, address) {
            return named(match whole == u64::from(bytes) {
                true => format!("`{name}`"),
                false => format!("`{name}[{}]`", offset / u64::from(bytes)),
            });
        }
        if let Some(argument) = launch.memory.allocation(address).and_then(|it| argument(launch, &it, address)) {
            let (number, from) = argument;
            // One element alone is what the pointer points to.
            let whole = launch.memory.allocation(from).map_or(0, |it| it.base + it.bytes - from);
            let index = (whole > u64::from(bytes)).then(|| ((address - from) / u64::from(bytes)) as i64);
            let words = match index {
                Some(index) => format!("element {index} of what {} points to", numbered(number)),
                None => format!("what {} points to", numbered(number)),
            };
            return Place { text: words.clone(), argument: Some(Argument { number, words, index }) };
        }
    }
    named(format!("the same {bytes} bytes"))
}

/// The module's variable that holds an address: its name, the offset in it, its size.
fn variable(launch: &Launch, address: u64) -> Option<(String, u64, u64)> {
    let mut variables = launch.names.iter().zip(launch.globals);
    let (variable, base) = variables.find(|(it, base)| address >= **base && address - **base < it.bytes)?;
    Some((names::plain(&variable.name), address - base, variable.bytes))
}

/// The argument that points into an allocation at or before `address`, by number, and where it points. `None` where no
/// argument does, or two point to one place: then an address does not tell whose it is.
fn argument(launch: &Launch, allocation: &Allocation, address: u64) -> Option<(usize, u64)> {
    let pointers = launch.parameters.iter().zip(1..).filter(|(parameter, _)| parameter.bytes == 8);
    let pointers = pointers.map(|(parameter, number)| (number, launch.params.load::<u64>(parameter.offset.into())));
    let inside: Vec<(usize, u64)> =
        pointers.filter(|(_, pointer)| (allocation.base..=address).contains(pointer)).collect();
    let &(number, nearest) = inside.iter().max_by_key(|(_, pointer)| *pointer)?;
    let alone = inside.iter().filter(|(_, pointer)| *pointer == nearest).count() == 1;
    alone.then_some((number, nearest))
}

/// What an access beyond the end of an allocation, or before its start, would be called: the element of the argument that points
/// into it. Before the start that is told where the argument points to the start itself.
pub fn outside(launch: &Launch, allocation: &Allocation, address: u64, bytes: u64) -> Option<Place> {
    let (number, from) = match address < allocation.base {
        true => argument(launch, allocation, allocation.base)?,
        false => argument(launch, allocation, allocation.base + allocation.bytes.max(1) - 1)?,
    };
    let (offset, bytes) = ((address as i64).wrapping_sub(from as i64), bytes as i64);
    let index = (bytes != 0 && offset % bytes == 0).then(|| offset / bytes)?;
    let words = format!("element {index} of what {} points to", numbered(number));
    Some(Place { text: words.clone(), argument: Some(Argument { number, words, index: Some(index) }) })
}

/// Which buffer an address belongs to: that of an argument, if one points into it.
pub fn buffer(launch: &Launch, address: u64) -> String {
    let Some(allocation) = launch.memory.allocation(address) else { return format!("address {address:#x}") };
    let offset = address - allocation.base;
    format!("byte {offset} of {}", allocation_of(launch, &allocation))
}

/// An allocation in words: "the 4096-byte buffer that argument 1 points to".
pub fn allocation_of(launch: &Launch, allocation: &Allocation) -> String {
    let last = allocation.base + allocation.bytes.max(1) - 1;
    match argument(launch, allocation, last) {
        Some((number, _)) => format!("the {}-byte buffer that {} points to", allocation.bytes, numbered(number)),
        None => match variable(launch, allocation.base) {
            Some((name, 0, _)) => format!("`{name}`, a variable of {} bytes", allocation.bytes),
            _ => format!("an allocation of {} bytes", allocation.bytes),
        },
    }
}
