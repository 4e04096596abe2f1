//! Samples of places of findings.

use super::*;

pub fn places() -> Vec<Where> {
    let block = [0, 0, 0];
    let buffer = |of| Buffer { bytes: 64, of };
    let near =
        |element, side| Outside::Near { element, far: 4, side, buffer: buffer(BufferName::Argument { number: 1 }) };
    let all = vec![
        Where::Nowhere,
        Where::Block { block },
        Where::Warp { block, warp: 2 },
        Where::Shared { block, bytes: 4, offset: 0x80 },
        Where::Global { bytes: 4, offset: 8, buffer: buffer(BufferName::Variable { name: "table".into() }) },
        Where::GlobalAddress { bytes: 4, address: 0x7000 },
        Where::Byte { offset: 8, buffer: buffer(BufferName::Allocation) },
        Where::Freed { offset: 8, bytes: 64 },
        Where::Misaligned { at: Offset::Allocation { offset: 6, bytes: 64 }, past: 2, near: None, start: None },
        Where::Misaligned {
            at: Offset::Space { space: Space::Shared, address: 6 },
            past: 2,
            near: Some(MemoryPlace::Variable { name: "s".into(), index: None }),
            start: Some(Start { offset: 6, past: 0, element: 2 }),
        },
        Where::Outside { at: near(Some(argument(1, -1)), BufferSide::Before), near: None },
        Where::Outside { at: near(None, BufferSide::Past), near: None },
        Where::Outside {
            at: Outside::Shared { address: 0x100, bytes: 128, elements: Some(32) },
            near: Some(variable("s", 32)),
        },
        Where::Outside { at: Outside::Nothing { space: Space::Local, address: 0x100 }, near: None },
        Where::OutsideArray {
            block,
            far: 4,
            side: BufferSide::Past,
            array: "s".into(),
            bytes: 64,
            index: 16,
            elements: 16,
            there: None,
        },
        Where::OutsideArray {
            block,
            far: 4,
            side: BufferSide::Before,
            array: "s".into(),
            bytes: 64,
            index: -1,
            elements: 16,
            there: Some(variable("t", 1)),
        },
        Where::Allocation { bytes: 64, memory: HostMemory::PageLocked, number: 2 },
    ];
    let number = |place: &Where| match place {
        Where::Nowhere => 0,
        Where::Block { .. } => 1,
        Where::Warp { .. } => 2,
        Where::Shared { .. } => 3,
        Where::Global { .. } => 4,
        Where::GlobalAddress { .. } => 5,
        Where::Byte { .. } => 6,
        Where::Freed { .. } => 7,
        Where::Misaligned { .. } => 8,
        Where::Outside { .. } => 9,
        Where::OutsideArray { .. } => 10,
        Where::Allocation { .. } => 11,
    };
    assert_all(12, all.iter().map(number));
    all
}
