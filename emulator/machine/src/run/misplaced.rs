//! Accesses of memory that is not the kernel's: out of bounds, freed, or not aligned.

use super::access::{ImageMisuse, InvalidAccess};
use super::accessed::Accessed;
use super::ending::LaunchEnding;
use super::launch::Launch;
use super::sites::access;
use super::warp::Warp;
use crate::memory::NoAllocation;
use crate::memory::space::Space;
use crate::place;
use crate::types::Fault;
use crate::watch::{At, Watch};
use finding::{
    AccessKind, Action, BufferSide, Cause, Finding, HostMemory, MemoryAccess, Offset, Outside, Severity, Slug, Start,
    SurfaceAxis, Where,
};

/// An access of an address that cannot be accessed.
pub(super) struct Misplaced<'t> {
    at: &'t At<'t>,
    invalid: &'t InvalidAccess,
    missing: NoAllocation,
    pub slug: Slug,
}

impl<'t> Misplaced<'t> {
    pub fn new(at: &'t At<'t>, invalid: &'t InvalidAccess) -> Misplaced<'t> {
        let missing = match invalid.space {
            _ if invalid.image.is_some() => NoAllocation::Nothing,
            Space::Global => at.launch.memory.missing(invalid.address, invalid.bytes),
            _ => NoAllocation::Nothing,
        };
        let slug = match missing {
            _ if invalid.misaligned => Slug::Misaligned,
            NoAllocation::Freed(_) => Slug::UseAfterFree,
            _ => Slug::OutOfBounds,
        };
        Misplaced { at, invalid, missing, slug }
    }

    /// Returns the fault that the host gets.
    pub fn fault(&self) -> Fault {
        if self.invalid.misaligned { Fault::MisalignedAddress } else { Fault::IllegalAddress }
    }

    /// The launch ends with it.
    pub fn ending<W: Watch>(&self, warp: &Warp<W>) -> LaunchEnding {
        LaunchEnding::found(self.finding(&warp.calls(self.at.frame)), self.fault())
    }

    /// `calls` are those that led to the instruction, innermost first.
    pub fn finding(&self, calls: &[u32]) -> Finding {
        let Misplaced { at, invalid, missing, slug } = self;
        let (launch, &InvalidAccess { kind, bytes, address, .. }) = (at.launch, *invalid);
        // The elements of a vector access: they are what the source counts.
        let op = &launch.code.instrs[at.pc as usize].op;
        let element = Accessed::by(op).map_or(bytes, |it| u64::from(it.bytes));
        let (place, cause) = match missing {
            _ if let Some(misuse) = invalid.image => (Where::Nowhere, of_image(misuse, kind)),
            _ if invalid.misaligned => {
                let (near, start) = match place::start(launch, invalid.space, address) {
                    None => (None, None),
                    Some((near, offset)) => {
                        let past = address.wrapping_sub(offset) % bytes;
                        (Some(near), Some(Start { offset, past, element }))
                    }
                };
                let place = Where::Misaligned { at: offset(launch, invalid), past: address % bytes, near, start };
                (place, Cause::Misaligned { kind, bytes })
            }
            NoAllocation::Freed(old) => {
                let place = Where::Freed { offset: address - old.base, bytes: old.bytes };
                (place, Cause::UseAfterFree { kind, heap: old.place == HostMemory::Heap })
            }
            _ => {
                let space = invalid.space;
                let (near, elements) = match place::of_shared(launch.part, space, address, element as u32) {
                    Some(near) => (Some(near), None),
                    None => place::past_shared(launch.part, space, address, element).unzip(),
                };
                let (at, side) = outside(launch, invalid, missing, elements);
                (Where::Outside { at, near }, Cause::OutOfBounds { kind, bytes, space: invalid.space, side })
            }
        };
        let thread = 32 * at.warp + invalid.lane as u32;
        let mut end = access(launch, at.block, thread, at.pc, calls, Action::Accessed { bytes });
        let scope = end.memory.and_then(|memory| memory.scope);
        end.memory = Some(MemoryAccess { kind, space: invalid.space, scope, bytes: bytes as u32 });
        Finding {
            slug: *slug,
            severity: Severity::Error,
            kernel: launch.kernel.into(),
            accesses: vec![end],
            headline: None,
            place,
            cause,
            remedies: Vec::new(),
            count: 1,
        }
    }
}

fn of_image(misuse: ImageMisuse, kind: AccessKind) -> Cause {
    match misuse {
        ImageMisuse::NoObject { is_surface, handle } => Cause::NoImage { is_surface, handle },
        ImageMisuse::Outside { axis, at, size } => {
            let axis = [SurfaceAxis::X, SurfaceAxis::Y, SurfaceAxis::Z, SurfaceAxis::Layer][axis];
            Cause::OutsideSurface { kind, axis, at, size: size.max(0) as u64 }
        }
    }
}

/// Returns the place of an address that belongs to nothing, and on which side of the nearest object it lies.
fn outside(
    launch: &Launch,
    invalid: &InvalidAccess,
    missing: &NoAllocation,
    elements: Option<u64>,
) -> (Outside, BufferSide) {
    let &InvalidAccess { space, address, bytes, .. } = invalid;
    if space == Space::Global
        && let Some((element, far, allocation)) = place::wrapped(launch, address, bytes)
    {
        let buffer = place::allocation_of(launch, &allocation);
        return (Outside::Near { element: Some(element), far, side: BufferSide::Before, buffer }, BufferSide::Before);
    }
    let at = match (missing, space) {
        (NoAllocation::Near(near), _) => {
            let (far, side) = match address.checked_sub(near.base) {
                // An access that begins inside counts up to its own end.
                Some(offset) if offset < near.bytes => (offset + bytes - near.bytes, BufferSide::Past),
                Some(offset) => (offset - near.bytes, BufferSide::Past),
                None => (near.base - address, BufferSide::Before),
            };
            let element = place::outside(launch, near, address, bytes);
            let buffer = place::allocation_of(launch, near);
            return (Outside::Near { element, far, side, buffer }, side);
        }
        (_, Space::Shared) => Outside::Shared { address, bytes: launch.shared_bytes(), elements },
        (_, space) => Outside::Nothing { space, address },
    };
    (at, BufferSide::Past)
}

/// Returns the offset of a misaligned address: from its allocation, or in its space.
fn offset(launch: &Launch, invalid: &InvalidAccess) -> Offset {
    let &InvalidAccess { space, address, .. } = invalid;
    match launch.memory.allocation(address).filter(|_| space == Space::Global) {
        Some(allocation) => Offset::Allocation { offset: address - allocation.base, bytes: allocation.bytes },
        None => Offset::Space { space, address },
    }
}
