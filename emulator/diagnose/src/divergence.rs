//! Where threads of one warp have met at a barrier from different instructions: does it stand in a loop?

use super::rounds::is_in_loop;
use checker::Sites;
use finding::{Cause, Finding};
use machine::code::Code;

/// `at` are the sites from which they came.
pub fn complete(finding: &mut Finding, code: &Code, sites: &Sites, at: [u32; 2]) {
    if let Cause::BarrierDivergence { in_loop, .. } = &mut finding.cause {
        *in_loop = at.into_iter().any(|site| is_in_loop(code, sites.pc(site)));
    }
}
