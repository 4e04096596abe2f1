//! The records of one job: its methods as series, and which of them does best.

use super::record::{Record, Report};
use figure::{Point, Series};

pub struct Job<'a> {
    pub records: Vec<&'a Record>,
}

/// The method that is fastest beside its peer, all in all.
pub struct Best<'a> {
    pub method: &'a str,
    pub peer: &'a str,
    /// The least and the largest of `peer_ms / ms`.
    pub least: f64,
    pub most: f64,
}

/// A median, and the interval around it.
pub type Value = (f64, f64, f64);

impl<'a> Job<'a> {
    pub fn of(report: &'a Report, name: &str) -> Job<'a> {
        Job { records: report.records.iter().filter(|record| record.job == name).collect() }
    }

    /// Returns the records of the largest size only.
    pub fn largest(&self) -> Job<'a> {
        let n = self.n();
        Job { records: self.records.iter().copied().filter(|record| record.n == n).collect() }
    }

    pub fn n(&self) -> u64 {
        self.records.iter().map(|record| record.n).max().unwrap_or(0)
    }

    pub fn inputs(&self) -> Vec<&'a str> {
        distinct(self.records.iter().map(|record| &record.input[..]))
    }

    /// The methods that others are compared with.
    pub fn peers(&self) -> Vec<&'a str> {
        distinct(self.records.iter().filter_map(|record| record.peer.as_deref()))
    }

    /// A series for each method, peers last. A record that `at` or `value` gives nothing for is left out.
    pub fn series(&self, at: impl Fn(&Record) -> Option<f64>, value: impl Fn(&Record) -> Option<Value>) -> Vec<Series> {
        let peers = self.peers();
        let (compared, own): (Vec<&str>, Vec<&str>) = distinct(self.records.iter().map(|record| &record.method[..]))
            .into_iter()
            .partition(|method| is_peer(method, &peers));
        let points = |method: &str| {
            let point = |record: &&Record| {
                let (middle, low, high) = value(record)?;
                Some(Point::new(at(record)?, middle).between(low, high))
            };
            let mut points: Vec<Point> =
                self.records.iter().filter(|record| record.method == method).filter_map(point).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            points
        };
        let own = own.into_iter().map(|method| Series::new(method, points(method)));
        own.chain(compared.into_iter().map(|method| Series::new(method, points(method)).as_peer())).collect()
    }

    /// Returns, of those compared at every size and on every input, the one with the largest ratio in the geometric
    /// mean.
    pub fn best(&self) -> Option<Best<'a>> {
        let peers = self.peers();
        let methods = distinct(self.records.iter().map(|record| &record.method[..]));
        let ratios = |method: &str| -> Vec<f64> {
            self.records.iter().filter(|record| record.method == method).filter_map(|record| record.ratio).collect()
        };
        let places = methods.iter().map(|method| ratios(method).len()).max()?;
        let candidates = methods.into_iter().filter(|method| !is_peer(method, &peers));
        let candidates =
            candidates.map(|method| (method, ratios(method))).filter(|(_, all)| !all.is_empty() && all.len() == places);
        let mean = |ratios: &[f64]| ratios.iter().map(|ratio| ratio.ln()).sum::<f64>();
        let (method, ratios) = candidates.max_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1)))?;
        let peer = self.records.iter().find(|record| record.method == method)?.peer.as_deref()?;
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        Some(Best { method, peer, least, most: ratios.into_iter().fold(0.0, f64::max) })
    }
}

/// Also what a library does that nothing is compared with.
fn is_peer(method: &str, peers: &[&str]) -> bool {
    peers.contains(&method) || method.contains("::")
}

fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all = Vec::new();
    for word in words {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    all
}
