//! Kernels that use CUDA's own headers, CUB and libcu++, each compiled here. A run that names no finding must have
//! none.

use crate::cuda::{compiled, few, judge};
use crate::{files, kernels};
use libtest_mimic::Trial;

pub fn trials() -> Vec<Trial> {
    let all = |folder| files(&kernels().join(folder), "cu");
    // These are long.
    let cccl = compiled("cccl", all("cccl"), |name, text| judge(&name, text, few() / 4, |_, _| ()));
    cccl.chain(compiled("headers", all("headers"), |name, text| judge(&name, text, few(), |_, _| ()))).collect()
}
