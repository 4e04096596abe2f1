use super::*;
use record::{Machine, Record};

fn record(job: &str, input: &str, n: u64, method: &str, ms: f64, peer: Option<(&str, f64)>) -> Record {
    let bytes = if job == "mandelbrot" { 0 } else { 4 * n };
    let ratio = peer.map(|(_, peer_ms)| peer_ms / ms);
    Record {
        job: job.into(),
        input: input.into(),
        n,
        method: method.into(),
        ms,
        ms_low: 0.9 * ms,
        ms_high: 1.1 * ms,
        rounds: 21,
        bytes,
        gb_per_s: (bytes > 0).then(|| bytes as f64 / (ms * 1e6)),
        peer: peer.map(|(name, _)| name.into()),
        peer_ms: peer.map(|(_, ms)| ms),
        ratio,
        ratio_low: ratio.map(|ratio| 0.9 * ratio),
        ratio_high: ratio.map(|ratio| 1.1 * ratio),
    }
}

/// Two methods beside a peer, at some sizes or on some inputs.
fn job(job: &str, places: &[(&str, u64)], peer: &str) -> Vec<Record> {
    let mut records = Vec::new();
    for (nth, (input, n)) in places.iter().enumerate() {
        let ms = *n as f64 / 1e9;
        let gain = 1.0 + 0.25 * nth as f64;
        records.push(record(job, input, *n, "slow_way", 2.0 * ms, Some((peer, ms))));
        records.push(record(job, input, *n, "fast_way", ms / gain, Some((peer, ms))));
        records.push(record(job, input, *n, peer, ms, None));
    }
    records
}

fn sample() -> Report {
    let sizes: Vec<(&str, u64)> = [1 << 20, 1 << 25, 1 << 30].map(|n| ("random", n)).into();
    let mut records = job("copy", &sizes, "cuMemcpyDtoDAsync");
    records.extend(job("sum", &sizes, "cub::DeviceReduce::Sum"));
    let shares = ["0 % kept", "50 % kept", "100 % kept"].map(|input| (input, 100_000_000));
    records.extend(job("filter", &shares, "cub::DeviceSelect::If"));
    let skews = ["uniform", "90 % one value", "all equal"].map(|input| (input, 1 << 28));
    records.extend(job("histogram", &skews, "cub::DeviceHistogram"));
    let sides = [("1024 x 1024", 1 << 20), ("4096 x 4096", 1 << 24), ("16384 x 16384", 1 << 28)];
    records.extend(job("mandelbrot", &sides, "mandelbrot_pixels"));
    let machine = Machine {
        gpu: "NVIDIA H200".into(),
        compute_capability: "9.0".into(),
        driver: "580.95.05".into(),
        cuda: "13.0".into(),
        cub: Some("3.0.2".into()),
        processes: 3,
        copy_gb_per_s: 4264.4,
        notes: vec![],
    };
    Report { machine, records }
}

fn title(svg: &str) -> &str {
    svg.split_once("<title id=\"title\">").unwrap().1.split_once("</title>").unwrap().0
}

#[test]
fn every_job_has_a_picture_in_both_languages_that_says_what_was_found() {
    let plots = plots(&sample());
    for (name, found) in [
        ("copy.svg", "fast_way is 1.00 to 1.50 times as fast as cuMemcpyDtoDAsync, from 4\u{a0}MiB to 4\u{a0}GiB"),
        ("sum.svg", "Sum and maximum: every int is read once"),
        (
            "filter.svg",
            "fast_way is 1.00 to 1.50 times as fast as cub::DeviceSelect::If, with 0\u{a0}% to 100\u{a0}% kept",
        ),
        ("histogram.svg", "fast_way is 1.00 to 1.50 times as fast as cub::DeviceHistogram, on every input"),
        ("mandelbrot.svg", "fast_way is 1.00 to 1.50 times as fast as mandelbrot_pixels, from 1024² to 16384² pixels"),
        ("histogram.es.svg", "fast_way es 1.00 a 1.50 veces tan rápido como cub::DeviceHistogram, con cada entrada"),
    ] {
        assert_eq!(title(&plots[name]), found, "{name}");
    }
    assert_eq!(plots.len(), 10);
    for (name, svg) in &plots {
        assert!(
            svg.contains("NVIDIA H200 (") && svg.contains(", driver 580.95.05, CUDA 13.0, CUB 3.0.2. Median"),
            "{name}"
        );
        for method in ["slow_way", "fast_way"] {
            assert!(svg.contains(&format!(">{method}</text>")), "{name}: {method}");
        }
        let limit = if name.ends_with(".es.svg") { ">límite de copia, 4264 GB/s<" } else { ">copy limit, 4264 GB/s<" };
        assert_eq!(svg.contains(limit), !name.starts_with("mandelbrot"), "{name}");
    }
    assert!(plots["histogram.es.svg"].contains(">todos iguales</text>"));
    assert!(plots["filter.svg"].contains("10⁸ ints."));
}

#[test]
fn the_best_method_is_one_that_was_compared_everywhere() {
    let mut report = sample();
    report.records.retain(|record| record.job == "filter");
    report.records.push(record(
        "filter",
        "50 % kept",
        100_000_000,
        "lucky_once",
        1e-3,
        Some(("cub::DeviceSelect::If", 0.1)),
    ));
    assert!(title(&plots(&report)["filter.svg"]).starts_with("fast_way is 1.00 to 1.50 times"));
    // A smaller size is not what the picture is about.
    report.records.push(record("filter", "50 % kept", 1000, "slow_way", 1.0, None));
    assert!(plots(&report)["filter.svg"].contains("10⁸ ints."));
}

#[test]
fn what_is_nearly_as_fast_is_not_told_as_as_fast() {
    let mut report = sample();
    report.records = vec![record("copy", "random", 1 << 20, "ours", 1.0, Some(("theirs", 0.9999)))];
    let title = |report: &Report| title(&plots(report)["copy.svg"]).to_string();
    assert_eq!(title(&report), "ours is 0.99 times as fast as theirs, from 4\u{a0}MiB to 4\u{a0}MiB");
    report.records[0] = record("copy", "random", 1 << 20, "ours", 1.0 / 1.15, Some(("theirs", 1.0)));
    assert!(title(&report).starts_with("ours is 1.15 times"));
}

#[test]
fn a_job_without_records_has_no_picture_and_one_without_a_peer_no_finding() {
    let mut report = sample();
    report.records = vec![record("histogram", "uniform", 1 << 28, "alone", 0.1, None)];
    let plots = plots(&report);
    assert_eq!(plots.keys().collect::<Vec<_>>(), ["histogram.es.svg", "histogram.svg"]);
    assert_eq!(title(&plots["histogram.svg"]), "Histograms");
}

#[test]
fn numbers_that_changed_make_the_stored_pictures_stale() {
    let root = tempfile::tempdir().unwrap();
    assert!(format!("{:#}", check(root.path()).unwrap_err()).contains(NUMBERS));
    std::fs::create_dir_all(root.path().join(FOLDER)).unwrap();
    let mut report = sample();
    report.write(&root.path().join(NUMBERS)).unwrap();
    make(root.path()).unwrap();
    assert_eq!(check(root.path()).unwrap(), "10 plots show the numbers of docs/bench/h200.json");
    report.machine.notes.push("The clock was low.".into());
    report.write(&root.path().join(NUMBERS)).unwrap();
    assert!(check(root.path()).unwrap_err().to_string().contains("mandelbrot.svg"));
    assert!(plots(&report)["copy.es.svg"].contains("Más en sus notas, en h200.json."));
}

#[test]
fn a_size_is_told_as_the_power_that_it_is() {
    for (n, text) in
        [(100_000_000, "10⁸"), (1 << 28, "2²⁸"), (1000, "1000"), (123_456, "123456"), (1 << 30, "2³⁰"), (0, "0")]
    {
        assert_eq!(draw::whole(n), text);
    }
}
