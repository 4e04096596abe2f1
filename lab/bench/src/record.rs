//! The file that a run of `bench` stores: the machine, and one record per method and input, as JSON.
//!
//! This file needs nothing of the rest of the crate, so that what draws or checks stored numbers can use it alone.

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::Path;

/// One stored file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub machine: Machine,
    pub records: Vec<Record>,
}

/// The machine and the software with which the times were taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The GPU's own name: `NVIDIA H200`.
    pub gpu: String,
    /// `9.0`
    pub compute_capability: String,
    /// The driver's version: `580.95.05`, or `unknown` if nobody tells it.
    pub driver: String,
    /// The highest CUDA version that the driver knows: `13.0`.
    pub cuda: String,
    /// CUB's version: `3.0.2`; null if the program was built without the peers.
    pub cub: Option<String>,
    /// The number of processes that took these times; each number is then a median over them.
    pub processes: u32,
    /// GB/s of the driver's copy within the device, 1 GiB, read and written bytes together: the limit to compare with.
    pub copy_gb_per_s: f64,
    /// The oddities of this run, a sentence each: a throttled clock, another process, a size with no room.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// The time of one method on one input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// `copy`, `memset`, `sum`, `max`, `histogram`, `filter`, `barrier`, `reduce` or `mandelbrot`.
    pub job: String,
    /// The kind of elements: `uniform`, `50 % kept`; words for people, the same in every run.
    pub input: String,
    /// Elements of the input: ints of `copy`, `memset`, `sum`, `max`, `reduce` and `filter`, bytes of `histogram`,
    /// pixels of `mandelbrot`, barriers per launch of `barrier`.
    pub n: u64,
    /// A kernel's name, or the library's function: `filter_warp`, `cub::DeviceSelect::If`. A peer has a record of its
    /// own.
    pub method: String,
    /// Milliseconds of one call (of `barrier`: of one barrier), median.
    pub ms: f64,
    /// Milliseconds, lower end of the interval around the median; see `docs/bench.md`.
    pub ms_low: f64,
    /// Milliseconds, upper end.
    pub ms_high: f64,
    /// The number of measurements of one process that the median is taken of.
    pub rounds: u32,
    /// Bytes that the job itself must read and write, each once; 0 where memory is not what it is about.
    pub bytes: u64,
    /// `bytes` per second in 10^9 bytes, at the median; null if `bytes` is 0.
    pub gb_per_s: Option<f64>,
    /// The method it is compared with, measured in turns with it on the same buffers; null if there is none.
    pub peer: Option<String>,
    /// Milliseconds of one call of the peer, median.
    pub peer_ms: Option<f64>,
    /// `peer_ms / ms`: above 1 this method is faster.
    pub ratio: Option<f64>,
    /// Lower end of the interval of the ratio, taken of the ratios of single rounds.
    pub ratio_low: Option<f64>,
    /// Upper end.
    pub ratio_high: Option<f64>,
}

/// The identity of a row, for comparing records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub job: String,
    pub input: String,
    pub n: u64,
    pub method: String,
}

impl Record {
    pub fn key(&self) -> Key {
        Key { job: self.job.clone(), input: self.input.clone(), n: self.n, method: self.method.clone() }
    }

    fn check(&self) -> Result<()> {
        let is_time = |value: f64| value.is_finite() && value > 0.0;
        ensure!(!self.job.is_empty() && !self.method.is_empty(), "a record has no job or no method");
        ensure!([self.ms, self.ms_low, self.ms_high].into_iter().all(is_time), "a time is not a positive number");
        ensure!(self.ms_low <= self.ms && self.ms <= self.ms_high, "the median is not between low and high");
        let expected = (self.bytes > 0).then(|| self.bytes as f64 / (self.ms * 1e6));
        ensure!(agrees(self.gb_per_s, expected), "gb_per_s is not bytes / ms");
        let parts = [self.peer_ms, self.ratio, self.ratio_low, self.ratio_high];
        let has_peer = self.peer.is_some();
        ensure!(parts.iter().all(|part| part.is_some() == has_peer), "one part of the comparison is missing");
        ensure!(parts.into_iter().flatten().all(is_time), "a number of the comparison is not positive");
        ensure!(agrees(self.ratio, self.peer_ms.map(|peer| peer / self.ms)), "ratio is not peer_ms / ms");
        Ok(())
    }
}

/// Equal but for rounding.
fn agrees(stored: Option<f64>, expected: Option<f64>) -> bool {
    match (stored, expected) {
        (None, None) => true,
        (Some(stored), Some(expected)) => (stored - expected).abs() <= 1e-6 * expected.abs(),
        _ => false,
    }
}

impl Report {
    /// Fails with the first record that contradicts itself, or that is there twice.
    pub fn check(&self) -> Result<()> {
        ensure!(self.machine.processes > 0, "no process took these times");
        let mut seen = HashSet::new();
        for record in &self.records {
            let Record { job, input, n, method, .. } = record;
            record.check().with_context(|| format!("{job}, {input}, n = {n}, {method}"))?;
            ensure!(seen.insert(record.key()), "{job}, {input}, n = {n}, {method} is there twice");
        }
        Ok(())
    }

    pub fn from_json(text: &str) -> Result<Report> {
        let report: Report = serde_json::from_str(text).context("this is not a report of `bench`")?;
        report.check()?;
        Ok(report)
    }

    /// One record per line, so that a stored file can be compared line by line.
    pub fn to_json(&self) -> Result<String> {
        self.check()?;
        let lines: Vec<String> = self.records.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        let machine = serde_json::to_string_pretty(&self.machine)?.replace('\n', "\n  ");
        Ok(format!("{{\n  \"machine\": {machine},\n  \"records\": [\n    {}\n  ]\n}}\n", lines.join(",\n    ")))
    }

    pub fn read(path: &Path) -> Result<Report> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Report::from_json(&text).with_context(|| format!("in {}", path.display()))
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        let text = self.to_json()?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn record(method: &str, ms: f64, peer: Option<f64>) -> Record {
        Record {
            job: "copy".into(),
            input: "random".into(),
            n: 1 << 20,
            method: method.into(),
            ms,
            ms_low: 0.9 * ms,
            ms_high: 1.1 * ms,
            rounds: 21,
            bytes: 8 << 20,
            gb_per_s: Some(f64::from(8 << 20) / (ms * 1e6)),
            peer: peer.map(|_| "cuMemcpyDtoDAsync".into()),
            peer_ms: peer,
            ratio: peer.map(|peer| peer / ms),
            ratio_low: peer.map(|peer| 0.9 * peer / ms),
            ratio_high: peer.map(|peer| 1.1 * peer / ms),
        }
    }

    pub(crate) fn report(records: Vec<Record>) -> Report {
        let machine = Machine {
            gpu: "NVIDIA H200".into(),
            compute_capability: "9.0".into(),
            driver: "580.95.05".into(),
            cuda: "13.0".into(),
            cub: Some("3.0.2".into()),
            processes: 1,
            copy_gb_per_s: 4180.0,
            notes: vec!["one \"note\"".into()],
        };
        Report { machine, records }
    }

    #[test]
    fn json_gives_back_what_was_written() {
        for records in [vec![], vec![record("a", 0.1 + 0.2, Some(1.0 / 3.0)), record("b", 2e-5, None)]] {
            let report = report(records);
            assert_eq!(Report::from_json(&report.to_json().unwrap()).unwrap(), report);
        }
    }

    #[test]
    fn a_record_that_contradicts_itself_is_refused() {
        let good = record("a", 0.5, Some(0.4));
        assert!(report(vec![good.clone()]).check().is_ok());
        let changes: [fn(&mut Record); 9] = [
            |record| record.ms_low = 0.6,
            |record| record.ms_high = 0.4,
            |record| record.ms = f64::NAN,
            |record| record.gb_per_s = None,
            |record| record.gb_per_s = Some(1.0),
            |record| record.ratio = Some(1.25),
            |record| record.peer_ms = None,
            |record| record.peer = None,
            |record| record.method.clear(),
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut bad = good.clone();
            change(&mut bad);
            assert!(report(vec![bad]).to_json().is_err(), "change {number}");
        }
        assert!(report(vec![good.clone(), good]).check().is_err(), "twice");
    }

    #[test]
    fn what_is_no_report_is_told_with_its_path() {
        let error = Report::read(Path::new("no/such/file.json")).unwrap_err();
        assert!(format!("{error:#}").contains("no/such/file.json"));
        assert!(Report::from_json("{}").is_err());
    }
}
