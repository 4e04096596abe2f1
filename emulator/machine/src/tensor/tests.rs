use super::boxes::{BoxSegment, RefusedBox, segments};
use super::*;

fn map() -> TensorMap {
    TensorMap {
        element: TensorElement::F32,
        rank: 2,
        address: 0x1000,
        extents: [6, 4, 1, 1, 1],
        strides: [32, 0, 0, 0],
        box_extents: [4, 2, 1, 1, 1],
        steps: [1; 5],
        swizzle: Swizzle::None,
        fills_with_nan: false,
    }
}

fn segment(global: Option<u64>, shared: u64, bytes: u32) -> BoxSegment {
    BoxSegment { global, shared, bytes }
}

#[test]
fn a_map_comes_back_from_its_bytes() {
    let all = TensorMap { extents: [1 << 32, 2, 3, 4, 5], rank: 5, strides: [16, 32, (1 << 40) - 16, 64], ..map() };
    assert_eq!(TensorMap::decode(&all.encode()), Some(all));
    assert_eq!(TensorMap::decode(&[0; MAP_BYTES]), None);
}

#[test]
fn values_that_the_driver_refuses_are_no_map() {
    let wrong = [
        TensorMap { rank: 0, ..map() },
        TensorMap { rank: 6, ..map() },
        TensorMap { address: 0x1008, ..map() },
        TensorMap { extents: [(1 << 32) + 1, 4, 1, 1, 1], ..map() },
        TensorMap { strides: [24, 0, 0, 0], ..map() },
        TensorMap { strides: [1 << 40, 0, 0, 0], ..map() },
        TensorMap { box_extents: [3, 2, 1, 1, 1], ..map() },
        TensorMap { box_extents: [4, 257, 1, 1, 1], ..map() },
        TensorMap { steps: [1, 9, 1, 1, 1], ..map() },
        TensorMap { box_extents: [12, 2, 1, 1, 1], swizzle: Swizzle::Bytes32, ..map() },
        TensorMap { element: TensorElement::U32, fills_with_nan: true, ..map() },
    ];
    assert!(map().is_valid());
    for map in wrong {
        assert!(!map.is_valid(), "{map:?}");
    }
}

#[test]
fn rows_inside_the_tensor_follow_each_other() {
    let all = segments(&map(), [0, 1, 0, 0, 0], 0x80, false);
    assert_eq!(all, Ok(vec![segment(Some(0x1020), 0x80, 16), segment(Some(0x1040), 0x90, 16)]));
}

#[test]
fn a_load_fills_what_lies_outside_and_a_store_moves_whole_units() {
    let load = segments(&map(), [4, 3, 0, 0, 0], 0, false);
    assert_eq!(load, Ok(vec![segment(Some(0x1070), 0, 8), segment(None, 8, 24)]));
    let store = segments(&map(), [4, 3, 0, 0, 0], 0, true);
    assert_eq!(store, Ok(vec![segment(Some(0x1070), 0, 16), segment(None, 16, 16)]));
    assert_eq!(segments(&map(), [-4, -1, 0, 0, 0], 0, false), Ok(vec![segment(None, 0, 32)]));
}

#[test]
fn some_coordinates_are_refused() {
    assert_eq!(segments(&map(), [2, 0, 0, 0, 0], 0, false), Err(RefusedBox::Unaligned));
    assert_eq!(segments(&map(), [0, -1, 0, 0, 0], 0, true), Err(RefusedBox::Negative));
}

#[test]
fn a_step_leaves_rows_out() {
    let map = TensorMap { box_extents: [4, 3, 1, 1, 1], steps: [1, 2, 1, 1, 1], ..map() };
    assert_eq!(map.box_bytes(), 32);
    let all = segments(&map, [0, 0, 0, 0, 0], 0, false);
    assert_eq!(all, Ok(vec![segment(Some(0x1000), 0, 16), segment(Some(0x1040), 16, 16)]));
}

#[test]
fn a_swizzle_permutes_units_and_pads_short_rows() {
    assert_eq!(Swizzle::Bytes128.place(0x380), 0x3f0);
    assert_eq!(Swizzle::Bytes64.place(0x380), 0x3b0);
    assert_eq!(Swizzle::Bytes32.place(0x380), 0x390);
    let map = TensorMap { swizzle: Swizzle::Bytes64, ..map() };
    let all = segments(&map, [0, 0, 0, 0, 0], 0x80, false);
    assert_eq!(all, Ok(vec![segment(Some(0x1000), 0x90, 16), segment(Some(0x1020), 0xd0, 16)]));
}
