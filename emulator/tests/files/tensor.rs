//! Tensor maps over a buffer: `// tensor: NAME TYPE WIDTH[,HEIGHT...] BOX[,BOX...] WORD...`.
//!
//! The words: `swizzle32`, `swizzle64`, `swizzle128`, `nan` (what fills a load outside the tensor).

use emulator::{Swizzle, TensorElement, TensorMap};

/// Returns the map that a file has in place of the buffer at `address`.
pub fn over(ptx: &str, name: &str, address: u64) -> Option<TensorMap> {
    let mut lines = ptx.lines().filter_map(|line| line.strip_prefix("// tensor:"));
    let words: Vec<&str> = lines.find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words[0] == name).then_some(words)
    })?;
    let element = element(words[1]);
    let sizes = |text: &str| text.split(',').map(|size| size.parse().expect("a size")).collect::<Vec<u32>>();
    let (extents, box_extents) = (sizes(words[2]), sizes(words[3]));
    let at = |all: &[u32], dimension: usize| all.get(dimension).copied().unwrap_or(1);
    let mut strides = [0; 4];
    let mut bytes = u64::from(extents[0]) * u64::from(element.bytes());
    for (dimension, stride) in strides.iter_mut().enumerate() {
        *stride = bytes.next_multiple_of(16);
        bytes = *stride * u64::from(at(&extents, dimension + 1));
    }
    let is = |word: &str| words[4..].contains(&word);
    let map = TensorMap {
        element,
        rank: extents.len() as u32,
        address,
        extents: std::array::from_fn(|dimension| at(&extents, dimension).into()),
        strides,
        box_extents: std::array::from_fn(|dimension| at(&box_extents, dimension)),
        steps: [1; 5],
        swizzle: match () {
            () if is("swizzle32") => Swizzle::Bytes32,
            () if is("swizzle64") => Swizzle::Bytes64,
            () if is("swizzle128") => Swizzle::Bytes128,
            () => Swizzle::None,
        },
        fills_with_nan: is("nan"),
    };
    assert!(map.is_valid(), "{map:?}");
    Some(map)
}

fn element(name: &str) -> TensorElement {
    match name {
        "u8" => TensorElement::U8,
        "u16" => TensorElement::U16,
        "u32" => TensorElement::U32,
        "u64" => TensorElement::U64,
        "f32" => TensorElement::F32,
        "f64" => TensorElement::F64,
        other => panic!("`{other}` is no type of these tests"),
    }
}
