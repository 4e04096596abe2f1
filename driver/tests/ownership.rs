//! Memory freed twice, and memory never freed.

use cust::prelude::*;
use cust_raw::CUresult;
use driver::emulated;
use driver::emulator::finding::{HostMemory, Slug, Where};

#[test]
fn a_second_free_is_an_error_and_says_which_allocation_it_was() {
    let _context = crate::support::own_context();
    let _first = DeviceBuffer::from_slice(&[0u8; 16]).unwrap();
    let second = DeviceBuffer::from_slice(&[0u8; 4096]).unwrap();
    let address = second.as_device_ptr().as_raw();
    drop(second);
    assert!(emulated::take_reports().unwrap().is_empty());
    // SAFETY: the call refuses an address that is not allocated.
    let code = unsafe { cust_raw::cuMemFree_v2(address) };
    assert_eq!(code, CUresult::CUDA_ERROR_INVALID_VALUE);
    let findings: Vec<_> = emulated::take_reports().unwrap().into_iter().flat_map(|report| report.findings).collect();
    let [finding] = &findings[..] else { panic!("one finding, not {findings:#?}") };
    assert_eq!((finding.slug, finding.cause.key()), (Slug::UseAfterFree, "host-freed-twice"));
    assert_eq!(finding.place, Where::Allocation { bytes: 4096, memory: HostMemory::Device, number: 2 });
    // An address that was never one is no second free.
    // SAFETY: as above.
    let code = unsafe { cust_raw::cuMemFree_v2(address + 8) };
    assert_eq!(code, CUresult::CUDA_ERROR_INVALID_VALUE);
    assert!(emulated::take_reports().unwrap().is_empty());
}

#[test]
fn what_lives_is_listed_until_it_is_freed() {
    let _context = crate::support::own_context();
    let buffers = [DeviceBuffer::from_slice(&[1i32; 8]).unwrap(), DeviceBuffer::from_slice(&[1i32; 3]).unwrap()];
    let sizes = || -> Vec<(u64, u64)> {
        let live = emulated::live_allocations().unwrap();
        live.iter().map(|owned| (owned.number, owned.allocation.bytes)).collect()
    };
    assert_eq!(sizes(), [(1, 32), (2, 12)]);
    let [first, second] = buffers;
    drop(first);
    assert_eq!(sizes(), [(2, 12)]);
    drop(second);
    assert_eq!(sizes(), []);
}
