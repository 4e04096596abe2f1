//! Times on a GPU: events around every launch, and the copy bandwidth to compare with.

use cust::event::{Event, EventFlags};
use cust::memory::{AsyncCopyDestination, CopyDestination, DeviceBuffer};
use cust::stream::{Stream, StreamFlags};
use std::cell::RefCell;

/// Bytes of a copy that lasts longer than the host takes to enqueue a library's call: 60 us on an H200.
const BUSY: usize = 128 << 20;

/// Collects a pair of events for each launch of a run. On the emulator, whose time means nothing, it does nothing.
#[derive(Default)]
pub struct Stopwatch {
    is_on: bool,
    /// Keeps the GPU busy before the first launch of a run, by copying the one to the other.
    busy: Option<RefCell<[DeviceBuffer<u8>; 2]>>,
    launches: RefCell<Vec<(Event, Option<Event>)>>,
}

impl Stopwatch {
    pub fn new(is_on: bool) -> Stopwatch {
        Stopwatch { is_on, ..Stopwatch::default() }
    }

    /// For times without what the host takes.
    pub fn behind_a_copy() -> anyhow::Result<Stopwatch> {
        let busy = [DeviceBuffer::zeroed(BUSY)?, DeviceBuffer::zeroed(BUSY)?];
        Ok(Stopwatch { is_on: true, busy: Some(RefCell::new(busy)), ..Stopwatch::default() })
    }

    pub fn start(&self, stream: &Stream) -> anyhow::Result<()> {
        if self.is_on {
            if self.launches.borrow().is_empty() {
                self.keep_busy(stream)?;
            }
            self.launches.borrow_mut().push((recorded(stream)?, None));
        }
        Ok(())
    }

    /// Milliseconds of what `enqueue` puts on the stream, apart from the launches.
    pub fn alone(&self, stream: &Stream, enqueue: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<f64> {
        self.keep_busy(stream)?;
        let start = recorded(stream)?;
        enqueue()?;
        let end = recorded(stream)?;
        end.synchronize()?;
        Ok(f64::from(end.elapsed_time_f32(&start)?))
    }

    fn keep_busy(&self, stream: &Stream) -> anyhow::Result<()> {
        if let Some(busy) = &self.busy {
            let [from, to] = &mut *busy.borrow_mut();
            // SAFETY: nothing else uses the two, and they outlive the run, which waits for its stream.
            unsafe { to.async_copy_from(from, stream)? };
        }
        Ok(())
    }

    pub fn stop(&self, stream: &Stream) -> anyhow::Result<()> {
        if let Some((_, end)) = self.launches.borrow_mut().last_mut() {
            *end = Some(recorded(stream)?);
        }
        Ok(())
    }

    /// Milliseconds spent in the launches since the last call; `None` where there were none.
    pub fn take(&self) -> anyhow::Result<Option<f64>> {
        let mut total = None;
        for (start, end) in self.launches.take() {
            let Some(end) = end else { continue };
            end.synchronize()?;
            *total.get_or_insert(0.0) += f64::from(end.elapsed_time_f32(&start)?);
        }
        Ok(total)
    }

    /// Forgets the launches of a run that failed.
    pub fn clear(&self) {
        self.launches.take();
    }
}

fn recorded(stream: &Stream) -> anyhow::Result<Event> {
    let event = Event::new(EventFlags::DEFAULT)?;
    event.record(stream)?;
    Ok(event)
}

pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    match n {
        0 => None,
        _ if n % 2 == 1 => Some(values[n / 2]),
        _ => Some((values[n / 2 - 1] + values[n / 2]) / 2.0),
    }
}

/// GB/s of the driver's own copy inside the device, read and written bytes together, median of ten.
///
/// The copy goes to the null stream. A stream with default flags waits for it and is waited for, so events on that
/// stream stand on either side of it.
pub fn copy_bandwidth() -> anyhow::Result<f64> {
    const BYTES: usize = 256 << 20;
    let from = DeviceBuffer::<u8>::zeroed(BYTES)?;
    let mut to = DeviceBuffer::<u8>::zeroed(BYTES)?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let mut times = Vec::new();
    for round in 0..11 {
        let start = recorded(&stream)?;
        to.copy_from(&from)?;
        let end = recorded(&stream)?;
        end.synchronize()?;
        if round > 0 {
            times.push(f64::from(end.elapsed_time_f32(&start)?)); // The first one warms up.
        }
    }
    let milliseconds = median(times).expect("ten rounds were timed");
    Ok(gb_per_s(2 * BYTES as u64, milliseconds))
}

pub fn gb_per_s(bytes: u64, milliseconds: f64) -> f64 {
    bytes as f64 / (milliseconds * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_the_mean_of_the_middle_two() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn a_gigabyte_in_a_millisecond_is_a_thousand_a_second() {
        assert_eq!(gb_per_s(1_000_000_000, 1.0), 1000.0);
    }
}
