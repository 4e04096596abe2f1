//! Relations over the events of one execution: a row of bits for each event.

/// More events than this no program has.
pub const MOST_EVENTS: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation(Vec<u32>);

impl Relation {
    pub fn new(events: usize) -> Relation {
        assert!(events <= MOST_EVENTS);
        Relation(vec![0; events])
    }

    pub fn of(events: usize, holds: impl Fn(usize, usize) -> bool) -> Relation {
        let mut all = Relation::new(events);
        for a in 0..events {
            (0..events).filter(|&b| holds(a, b)).for_each(|b| all.add(a, b));
        }
        all
    }

    pub fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    pub fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 != 0
    }

    pub fn or(&self, other: &Relation) -> Relation {
        Relation(self.0.iter().zip(&other.0).map(|(mine, theirs)| mine | theirs).collect())
    }

    /// From `a` to `c` where this leads to some `b`, and `next` from there.
    pub fn then(&self, next: &Relation) -> Relation {
        let row = |mine: &u32| (0..next.0.len()).filter(|b| mine >> b & 1 != 0).fold(0, |row, b| row | next.0[b]);
        Relation(self.0.iter().map(row).collect())
    }

    /// Its transitive closure.
    pub fn closed(mut self) -> Relation {
        for via in 0..self.0.len() {
            let row = self.0[via];
            self.0.iter_mut().filter(|mine| **mine >> via & 1 != 0).for_each(|mine| *mine |= row);
        }
        self
    }

    /// Returns true if nothing in a closed relation leads back to itself.
    pub fn is_order(&self) -> bool {
        (0..self.0.len()).all(|event| !self.has(event, event))
    }
}
