//! What the kernels of a row are asked: the CPU's answer, and whether the device gives the same.

use crate::{access, copy, reference};
use common::Run;
use common::check::{self, Values};
use cust::prelude::*;

/// All rows but `access`: a copy, of which both sides begin `skip` ints into their buffers.
pub fn copied(run: &Run, input: &[i32], skip: usize) -> anyhow::Result<()> {
    run.each(|| check::equal(&copy::copied(run, &run.kernel().name, input, skip)?, input))
}

/// `access`: one element for each of n threads, by each of these strides or offsets in turn.
pub fn read(run: &Run, mut values: Values, distances: &[usize]) -> anyhow::Result<()> {
    let (kernel, n) = (&run.kernel().name, run.size());
    let most = access::needed_by_all(kernel, n, distances)?;
    let input = values.ints(most, i32::MIN, i32::MAX);
    let source = input.as_slice().as_dbuf()?;
    run.each(|| {
        for &by in distances {
            let expected = reference::read(kernel, &input, n, by);
            check::equal(&access::read(run, kernel, &source, n, by)?, &expected)?;
        }
        Ok(())
    })
}
