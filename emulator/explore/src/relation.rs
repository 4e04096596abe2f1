//! Binary relations over the events of one execution, as rows of bits.

/// A set of pairs of events. Events are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    events: usize,
    /// Words of a row.
    words: usize,
    rows: Vec<u64>,
}

impl Relation {
    pub fn new(events: usize) -> Relation {
        let words = events.div_ceil(64).max(1);
        Relation { events, words, rows: vec![0; words * events] }
    }

    /// Collects the pairs for which `holds`.
    pub fn of(events: usize, holds: impl Fn(usize, usize) -> bool) -> Relation {
        let mut all = Relation::new(events);
        for a in 0..events {
            (0..events).filter(|&b| holds(a, b)).for_each(|b| all.add(a, b));
        }
        all
    }

    pub fn add(&mut self, a: usize, b: usize) {
        self.rows[a * self.words + b / 64] |= 1 << (b % 64);
    }

    pub fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a * self.words + b / 64] >> (b % 64) & 1 != 0
    }

    fn row(&self, a: usize) -> &[u64] {
        &self.rows[a * self.words..(a + 1) * self.words]
    }

    /// Iterates over the events to which `a` leads.
    pub fn after(&self, a: usize) -> impl Iterator<Item = usize> {
        self.row(a).iter().enumerate().flat_map(|(word, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(64 * word + bit)
            })
        })
    }

    /// Returns the pairs of the first `events` alone.
    pub fn among(&self, events: usize) -> Relation {
        let mut all = Relation::new(events);
        let last = u64::MAX >> (64 * all.words - events).min(63);
        for (event, row) in all.rows.chunks_mut(all.words).enumerate() {
            row.copy_from_slice(&self.row(event)[..row.len()]);
            if let Some(word) = row.last_mut() {
                *word &= last;
            }
        }
        all
    }

    /// Returns the union of two relations.
    pub fn or(&self, other: &Relation) -> Relation {
        let rows = self.rows.iter().zip(&other.rows).map(|(mine, theirs)| mine | theirs).collect();
        Relation { rows, ..*self }
    }

    /// Composition: from `a` to `c` where this leads from `a` to some `b`, and `next` from `b` to `c`.
    pub fn then(&self, next: &Relation) -> Relation {
        let mut all = Relation::new(self.events);
        for a in 0..self.events {
            for b in self.after(a) {
                all.add_row(a, next.row(b));
            }
        }
        all
    }

    fn add_row(&mut self, a: usize, row: &[u64]) {
        let mine = &mut self.rows[a * self.words..(a + 1) * self.words];
        mine.iter_mut().zip(row).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Returns the transitive closure.
    pub fn closed(mut self) -> Relation {
        let Some(order) = self.successors_first() else { return self.closed_with_cycles() };
        let mut row = Vec::new();
        for a in order {
            row.clear();
            row.extend_from_slice(self.row(a));
            for b in self.after(a) {
                row.iter_mut().zip(self.row(b)).for_each(|(mine, theirs)| *mine |= theirs);
            }
            self.add_row(a, &row);
        }
        self
    }

    /// Returns the events in an order in which each comes after those to which it leads. `None` if there is a cycle.
    pub fn successors_first(&self) -> Option<Vec<usize>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            New,
            UnderWay,
            Done,
        }
        let mut visits = vec![Visit::New; self.events];
        let mut order = Vec::with_capacity(self.events);
        for first in 0..self.events {
            let mut path = vec![(first, self.after(first))];
            if visits[first] == Visit::Done {
                continue;
            }
            visits[first] = Visit::UnderWay;
            while let Some((event, after)) = path.last_mut() {
                match after.next() {
                    Some(next) if visits[next] == Visit::UnderWay => return None,
                    Some(next) if visits[next] == Visit::New => {
                        visits[next] = Visit::UnderWay;
                        path.push((next, self.after(next)));
                    }
                    Some(_) => {}
                    None => {
                        visits[*event] = Visit::Done;
                        order.push(*event);
                        path.pop();
                    }
                }
            }
        }
        Some(order)
    }

    /// Returns the transitive closure by Warshall's algorithm.
    fn closed_with_cycles(mut self) -> Relation {
        for via in 0..self.events {
            let row = self.row(via).to_vec();
            for a in 0..self.events {
                if self.has(a, via) {
                    self.add_row(a, &row);
                }
            }
        }
        self
    }

    /// Adds one pair to a closed relation and closes it again.
    pub fn add_closed(&mut self, a: usize, b: usize) {
        if self.has(a, b) {
            return;
        }
        let mut row = self.row(b).to_vec();
        row[b / 64] |= 1 << (b % 64);
        let before: Vec<usize> = (0..self.events).filter(|&before| before == a || self.has(before, a)).collect();
        before.iter().for_each(|&before| self.add_row(before, &row));
    }

    /// Returns true if a closed relation leads from no event to itself.
    pub fn is_irreflexive(&self) -> bool {
        (0..self.events).all(|event| !self.has(event, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_to_a_closed_relation_is_closing_the_sum() {
        let pairs = [(0, 1), (70, 2), (1, 70), (2, 99), (98, 0), (99, 98)];
        let mut step_by_step = Relation::new(100);
        for (number, &(a, b)) in pairs.iter().enumerate() {
            step_by_step.add_closed(a, b);
            let mut whole = Relation::new(100);
            pairs[..=number].iter().for_each(|&(a, b)| whole.add(a, b));
            let whole = whole.closed();
            assert_eq!(step_by_step, whole, "{number}");
            assert_eq!(whole.is_irreflexive(), number + 1 < pairs.len());
        }
    }

    #[test]
    fn composition_goes_through_an_event_between() {
        let [first, second] = [&[(0, 65), (1, 2)][..], &[(65, 3), (65, 64), (3, 1)]].map(|pairs| {
            let mut all = Relation::new(66);
            pairs.iter().for_each(|&(a, b)| all.add(a, b));
            all
        });
        let both = first.then(&second);
        let pairs: Vec<_> = (0..66).flat_map(|a| both.after(a).map(move |b| (a, b))).collect();
        assert_eq!(pairs, [(0, 3), (0, 64)]);
    }
}
