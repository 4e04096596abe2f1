//! Attributes of memory pools (CUDA Driver API, "Stream Ordered Memory Allocator").

use super::pool::{Pool, pools};
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::{c_uint, c_void};

impl Pool {
    /// Returns the figure behind an attribute that only the emulator sets. Programs can set the greatest ones back.
    fn figure(&mut self, attribute: c_uint) -> Option<&mut u64> {
        use CUmemPool_attribute_enum::*;
        const RESERVED: u32 = CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT as u32;
        const MOST_RESERVED: u32 = CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH as u32;
        const USED: u32 = CU_MEMPOOL_ATTR_USED_MEM_CURRENT as u32;
        const MOST_USED: u32 = CU_MEMPOOL_ATTR_USED_MEM_HIGH as u32;
        match attribute {
            RESERVED => Some(&mut self.reserved.now),
            MOST_RESERVED => Some(&mut self.reserved.most),
            USED => Some(&mut self.used.now),
            MOST_USED => Some(&mut self.used.most),
            _ => None,
        }
    }
}

/// The three flags of reuse are `int`, the others 64 bits wide.
fn is_flag(attribute: c_uint) -> bool {
    attribute <= CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES as u32
}

fn is_most(attribute: c_uint) -> bool {
    use CUmemPool_attribute_enum::*;
    [CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, CU_MEMPOOL_ATTR_USED_MEM_HIGH].iter().any(|one| *one as u32 == attribute)
}

/// The width of a newer attribute is not known here.
fn check_attribute(attribute: c_uint) -> CallResult {
    let known = 1..=CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_HIGH as u32;
    if known.contains(&attribute) { Ok(()) } else { Err(CUDA_ERROR_INVALID_VALUE) }
}

pub(crate) unsafe fn set_attribute(pool: CUmemoryPool, attribute: c_uint, value: *mut c_void) -> CallResult {
    may_call()?;
    check_attribute(attribute)?;
    if value.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller gives a value of the attribute's type.
    let value = unsafe {
        if is_flag(attribute) {
            value.cast::<u32>().read_unaligned().into()
        } else {
            value.cast::<u64>().read_unaligned()
        }
    };
    let mut pools = pools();
    let pool = pools.find_own(pool)?;
    match pool.figure(attribute) {
        // The most is set back to what is now, and nothing else.
        Some(_) if value != 0 || !is_most(attribute) => return Err(CUDA_ERROR_INVALID_VALUE),
        Some(_) if attribute == CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_USED_MEM_HIGH as u32 => {
            pool.used.most = pool.used.now;
        }
        Some(_) => pool.reserved.most = pool.reserved.now,
        None => drop(pool.attributes.insert(attribute, value)),
    }
    Ok(())
}

pub(crate) unsafe fn attribute(pool: CUmemoryPool, attribute: c_uint, value: *mut c_void) -> CallResult {
    may_call()?;
    check_attribute(attribute)?;
    let default = u64::from(is_flag(attribute));
    let mut pools = pools();
    let pool = pools.find_own(pool)?;
    let set = pool.figure(attribute).map(|figure| *figure);
    let set = set.or_else(|| pool.attributes.get(&attribute).copied()).unwrap_or(default);
    if is_flag(attribute) {
        // SAFETY: the caller gives a place of the attribute's type.
        unsafe { out(value.cast::<u32>())? }.set(set as u32);
    } else {
        // SAFETY: the caller gives a place of the attribute's type.
        unsafe { out(value.cast::<u64>())? }.set(set);
    }
    Ok(())
}
