//! Names for addresses: an element of a variable, part of what an argument points to.

use crate::code::{Elements, KernelPart, Pointee, SharedVariable};
use crate::memory::space::Space;
use crate::run::grids::GridIdentity;
use crate::run::launch::Launch;
use crate::types::{Allocation, Parameter};
use finding::{Buffer, BufferName, MemoryPlace, ThreadName, plain_name};

/// The `bytes` bytes at `address`: a variable with its index, or part of what an argument points to. Rows of a
/// two-dimensional array are not told apart: PTX has flat bytes.
pub fn of(launch: &Launch, space: Space, address: u64, bytes: u32) -> MemoryPlace {
    let bytes = bytes.max(1);
    if let Some(place) = of_shared(launch.part, space, address, bytes) {
        return place;
    }
    if space == Space::Global {
        if let Some(Global { number, name, offset, bytes: whole }) = variable(launch, address) {
            let step = launch.part.global_steps.get(number).copied().unwrap_or(0);
            return in_variable(name, offset, whole, u64::from(bytes), step);
        }
        let allocation = launch.memory.allocation(address);
        if let Some((number, from)) = allocation.and_then(|it| argument(launch, &it, address)) {
            // One element alone is what the pointer points to.
            let whole = launch.memory.allocation(from).map_or(0, |it| it.base + it.bytes - from);
            return match whole > u64::from(bytes) {
                true => of_argument(&launch.part.pointees, number, (address - from) as i64, bytes.into()),
                false => MemoryPlace::Argument { number, index: None },
            };
        }
    }
    MemoryPlace::Unnamed { bytes }
}

/// The shared variable that holds an address, with its element's index; `None` for other spaces.
pub fn of_shared(part: &KernelPart, space: Space, address: u64, bytes: u32) -> Option<MemoryPlace> {
    if space != Space::Shared {
        return None;
    }
    let variable = shared_variable(part, address)?;
    let offset = address - variable.offset;
    let name = plain_name(&variable.name);
    // nvcc declares every array as bytes; the access's own size is the better element.
    Some(match u64::from(variable.element) {
        element @ 2.. => in_variable(name, offset, variable.bytes, element, 0),
        _ => in_variable(name, offset, variable.bytes, bytes.max(1).into(), variable.step),
    })
}

/// `bytes` bytes of a variable through which the kernel goes by `step`.
fn in_variable(name: String, offset: u64, whole: u64, bytes: u64, step: u64) -> MemoryPlace {
    let elements = Elements { pointee: Pointee::Unknown, step };
    match elements.count(offset as i64, bytes as i64) {
        _ if whole == bytes => MemoryPlace::Variable { name, index: None },
        ElementOrByte::Index(index) => MemoryPlace::Variable { name, index: Some(index as u64) },
        ElementOrByte::Byte(byte) => {
            MemoryPlace::Part { of: Box::new(MemoryPlace::Variable { name, index: None }), byte }
        }
    }
}

/// `bytes` bytes of what an argument points to, `offset` bytes from there.
fn of_argument(pointees: &[Elements], number: usize, offset: i64, bytes: i64) -> MemoryPlace {
    let elements = pointees.get(number - 1).copied().unwrap_or_default();
    match elements.count(offset, bytes) {
        ElementOrByte::Index(index) => MemoryPlace::Argument { number, index: Some(index) },
        ElementOrByte::Byte(byte) => {
            MemoryPlace::Part { of: Box::new(MemoryPlace::Argument { number, index: None }), byte }
        }
    }
}

/// The element or byte at which an access begins.
enum ElementOrByte {
    Index(i64),
    /// It is of a part of an element, or may be.
    Byte(i64),
}

impl Elements {
    fn count(self, offset: i64, bytes: i64) -> ElementOrByte {
        let element = match self.pointee {
            Pointee::Bytes(element) => Some(element as i64).filter(|element| bytes % element == 0),
            // An array may be a member.
            Pointee::Structure => None,
            Pointee::Unknown => Some(bytes).filter(|_| self.step as i64 <= bytes),
        };
        match element.filter(|element| offset % element == 0 || self.pointee == Pointee::Unknown) {
            Some(element) => ElementOrByte::Index(offset / element),
            None => ElementOrByte::Byte(offset),
        }
    }
}

fn shared_variable(part: &KernelPart, address: u64) -> Option<&SharedVariable> {
    let holds = |variable: &&SharedVariable| {
        address >= variable.offset && (variable.bytes == 0 || address - variable.offset < variable.bytes)
    };
    part.shared.iter().rev().find(holds)
}

/// The element past the end of the last shared variable, as it would be called, and how many that has: where no other
/// one follows.
pub fn past_shared(part: &KernelPart, space: Space, address: u64, bytes: u64) -> Option<(MemoryPlace, u64)> {
    let before =
        part.shared.iter().filter(|it| space == Space::Shared && it.bytes > 0 && it.offset + it.bytes <= address);
    let variable = before.max_by_key(|it| it.offset)?;
    let element = if variable.element > 1 { u64::from(variable.element) } else { bytes.max(1) };
    let index = Some((address - variable.offset) / element);
    Some((MemoryPlace::Variable { name: plain_name(&variable.name), index }, variable.bytes / element))
}

/// Returns the object that an address belongs to, without an index, and the offset in it.
pub fn start(launch: &Launch, space: Space, address: u64) -> Option<(MemoryPlace, u64)> {
    if space == Space::Shared {
        let variable = shared_variable(launch.part, address)?;
        return Some((
            MemoryPlace::Variable { name: plain_name(&variable.name), index: None },
            address - variable.offset,
        ));
    }
    if space != Space::Global {
        return None;
    }
    if let Some(Global { name, offset, .. }) = variable(launch, address) {
        return Some((MemoryPlace::Variable { name, index: None }, offset));
    }
    let (number, from) = argument(launch, &launch.memory.allocation(address)?, address)?;
    Some((MemoryPlace::Argument { number, index: None }, address - from))
}

/// Names for the memory and the threads of a launch after its end.
#[derive(Clone, Debug, Default)]
pub struct LaunchNames {
    /// The arguments that may be pointers, by number from 1.
    pointers: Vec<(usize, u64)>,
    /// The module's variables: the address, the name, the bytes and the step of each.
    variables: Vec<(u64, String, u64, u64)>,
    pointees: Vec<Elements>,
    grid: [u32; 3],
    block: [u32; 3],
    /// Threads from one block's first to the next one's.
    per_block: u32,
    copying: Option<u32>,
}

impl LaunchNames {
    pub fn of(launch: &Launch) -> LaunchNames {
        let step = |number: usize| launch.part.global_steps.get(number).copied().unwrap_or(0);
        let variables = launch.names.iter().zip(launch.globals).enumerate();
        let own = launch.grid_of(0);
        LaunchNames {
            pointers: pointers(launch),
            variables: variables
                .map(|(number, (it, base))| (*base, plain_name(&it.name), it.bytes, step(number)))
                .collect(),
            pointees: launch.part.pointees.clone(),
            grid: own.grid,
            block: own.block,
            per_block: launch.warp_stride() * 32,
            copying: launch.copying_warps().map(|warps| 32 * warps),
        }
    }

    /// The argument that points into the allocation at `base`, at or before `address`, and where it points.
    pub fn argument(&self, base: u64, address: u64) -> Option<(usize, u64)> {
        nearest(&self.pointers, base, address)
    }

    /// The `bytes` bytes of global memory at `address`, in an allocation of `whole` bytes at `base`.
    pub fn place(&self, (base, whole): (u64, u64), address: u64, bytes: u32) -> MemoryPlace {
        let holds = |it: &&(u64, String, u64, u64)| address >= it.0 && address - it.0 < it.2;
        if let Some((from, name, whole, step)) = self.variables.iter().find(holds) {
            return in_variable(name.clone(), address - from, *whole, bytes.into(), *step);
        }
        match self.argument(base, address) {
            Some((number, from)) if base + whole - from > u64::from(bytes) => {
                of_argument(&self.pointees, number, (address - from) as i64, bytes.into())
            }
            Some((number, _)) => MemoryPlace::Argument { number, index: None },
            None => MemoryPlace::Unnamed { bytes },
        }
    }

    /// The allocation of `bytes` bytes at `base`.
    pub fn buffer(&self, base: u64, bytes: u64) -> Buffer {
        let variable = self.variables.iter().find(|it| it.0 == base).map(|it| it.1.clone());
        let of = match self.argument(base, base + bytes.max(1) - 1) {
            Some((number, _)) => BufferName::Argument { number },
            None => variable.map_or(BufferName::Allocation, |name| BufferName::Variable { name }),
        };
        Buffer { bytes, of }
    }

    /// Thread `thread` of the launch, warp in the launch x 32 + lane. `None` for one of a grid that a kernel launched.
    pub fn thread(&self, thread: u32) -> Option<ThreadName> {
        let (block, within) = (u64::from(thread.checked_div(self.per_block)?), thread % self.per_block);
        let own = GridIdentity { part: 0, grid: self.grid, block: self.block, first_block: 0, origin: None };
        let within = self.copying.map_or(within, |copying| within % copying);
        own.holds(block).then(|| own.thread(block, within))
    }
}

/// A module's variable, and the offset in it.
struct Global {
    number: usize,
    name: String,
    offset: u64,
    bytes: u64,
}

/// The module's variable that holds an address.
fn variable(launch: &Launch, address: u64) -> Option<Global> {
    let mut variables = launch.names.iter().zip(launch.globals).enumerate();
    let (number, (it, base)) = variables.find(|(_, (it, base))| address >= **base && address - **base < it.bytes)?;
    Some(Global { number, name: plain_name(&it.name), offset: address - base, bytes: it.bytes })
}

/// The argument that points into an allocation at or before `address`, by number, and where it points. `None` where no
/// argument does, or two point to one place: then an address does not tell whose it is.
fn argument(launch: &Launch, allocation: &Allocation, address: u64) -> Option<(usize, u64)> {
    nearest(&pointers(launch), allocation.base, address)
}

/// A launch's arguments that may be pointers, by number from 1.
fn pointers(launch: &Launch) -> Vec<(usize, u64)> {
    // A structure of 8 bytes may lie where no pointer does.
    let fits = |parameter: &Parameter| parameter.bytes == 8 && parameter.offset.is_multiple_of(8);
    let pointers = launch.parameters.iter().zip(1..).filter(|(parameter, _)| fits(parameter));
    let values = pointers.map(|(parameter, number)| (number, launch.params.load::<u64>(parameter.offset.into())));
    // A texture or surface object stands for the memory that it describes.
    let address = |value: u64| launch.memory.images.get(value).map_or(value, |image| image.base().address);
    values.map(|(number, value)| (number, address(value))).collect()
}

/// The one of these arguments that points to `base` or after it, at or before `address` and nearest to that.
fn nearest(pointers: &[(usize, u64)], base: u64, address: u64) -> Option<(usize, u64)> {
    let inside = || pointers.iter().filter(|(_, pointer)| (base..=address).contains(pointer));
    let &(number, nearest) = inside().max_by_key(|(_, pointer)| *pointer)?;
    let alone = inside().filter(|(_, pointer)| *pointer == nearest).count() == 1;
    alone.then_some((number, nearest))
}

/// Returns the name of an access beyond the end of an allocation, or before its start: the element of the argument that
/// points into it. An access before the start is named only where the argument points to the start itself.
pub fn outside(launch: &Launch, allocation: &Allocation, address: u64, bytes: u64) -> Option<MemoryPlace> {
    let (number, from) = match address < allocation.base {
        true => argument(launch, allocation, allocation.base)?,
        false => argument(launch, allocation, allocation.base + allocation.bytes.max(1) - 1)?,
    };
    let (offset, bytes) = ((address as i64).wrapping_sub(from as i64), bytes as i64);
    (bytes != 0 && offset % bytes == 0).then(|| of_argument(&launch.part.pointees, number, offset, bytes))
}

/// Recognises an index that has wrapped in 32 bits: exactly one argument points to memory that has the element 2^32
/// further on. Returns the element as accessed, its distance in bytes before the start of the allocation, and the
/// allocation.
pub fn wrapped(launch: &Launch, address: u64, bytes: u64) -> Option<(MemoryPlace, u64, Allocation)> {
    let of = |(number, from): (usize, u64)| {
        let allocation = launch.memory.allocation(from)?;
        let offset = (address as i64).wrapping_sub(from as i64);
        let index = offset / i64::try_from(bytes).ok().filter(|bytes| *bytes > 0 && offset % bytes == 0)?;
        (i64::from(i32::MIN)..0).contains(&index).then_some(())?;
        let meant = from.checked_add((index + (1 << 32)) as u64 * bytes)?;
        let is_inside = meant + bytes <= allocation.base + allocation.bytes;
        let far = allocation.base.checked_sub(address)?;
        is_inside.then_some((MemoryPlace::Argument { number, index: Some(index) }, far, allocation))
    };
    let mut all = pointers(launch).into_iter().filter_map(of);
    all.next().filter(|_| all.next().is_none())
}

/// The buffer that an address belongs to, and the offset in it.
pub fn buffer(launch: &Launch, address: u64) -> Option<(u64, Buffer)> {
    let allocation = launch.memory.allocation(address)?;
    Some((address - allocation.base, allocation_of(launch, &allocation)))
}

/// An allocation by what leads to it: an argument, if one points into it.
pub fn allocation_of(launch: &Launch, allocation: &Allocation) -> Buffer {
    let last = allocation.base + allocation.bytes.max(1) - 1;
    let of = match argument(launch, allocation, last) {
        Some((number, _)) => BufferName::Argument { number },
        None => match variable(launch, allocation.base) {
            Some(Global { name, offset: 0, .. }) => BufferName::Variable { name },
            _ => BufferName::Allocation,
        },
    };
    Buffer { bytes: allocation.bytes, of }
}
