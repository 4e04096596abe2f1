//! The events that are kept: the first ones, up to a bound. The others are counted.

use crate::data::Bound;
use crate::event::Event;

#[derive(Debug)]
pub(crate) struct TraceLog {
    pub events: Vec<Event>,
    pub bound: Bound,
    bytes: usize,
    pub left_out: u64,
}

impl TraceLog {
    pub fn new(bound: Bound) -> TraceLog {
        TraceLog { events: Vec::new(), bound, bytes: 0, left_out: 0 }
    }

    /// True if the next event will be kept. Nobody needs to gather what one holds that will not.
    pub fn has_room(&self) -> bool {
        self.left_out == 0 && self.events.len() < self.bound.events && self.bytes < self.bound.bytes
    }

    /// Keeps an event and returns its position, or counts it.
    pub fn push(&mut self, event: impl FnOnce() -> Event) -> Option<usize> {
        if !self.has_room() {
            self.left_out += 1;
            return None;
        }
        let event = event();
        self.bytes += event.size();
        self.events.push(event);
        Some(self.events.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::What;

    #[test]
    fn the_first_events_are_kept_and_the_rest_counted() {
        let event = |time| Event { time, who: None, what: What::GridEnds { grid: 0 } };
        let size = event(0).size();
        for (bound, kept) in [
            (Bound { events: 3, bytes: usize::MAX }, 3),
            (Bound { events: 100, bytes: 4 * size }, 4),
            (Bound { events: 100, bytes: usize::MAX }, 10),
            (Bound { events: 0, bytes: usize::MAX }, 0),
        ] {
            let mut log = TraceLog::new(bound);
            let positions: Vec<_> = (0..10).map(|time| log.push(|| event(time))).collect();
            assert_eq!(positions[..kept], (0..kept).map(Some).collect::<Vec<_>>());
            assert!(positions[kept..].iter().all(Option::is_none));
            assert_eq!((log.events.len(), log.left_out), (kept, 10 - kept as u64));
            assert!(log.events.iter().zip(0..).all(|(event, time)| event.time == time));
        }
    }
}
