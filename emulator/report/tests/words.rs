//! Every cause, action and place in both languages, word for word in `words/`, and in JSON. After a change
//! `INSTA_UPDATE=always cargo test -p report` writes `words/` anew, and the difference is what to review.

mod samples;

use finding::*;
use report::{FindingTexts, Language, Reader, Source, action, place, said};
use samples::*;

/// One line, with nothing left of a placeable or of a name that Rust has for a variant.
fn assert_clean(text: &str, what: &dyn std::fmt::Debug) {
    let is_clean = !["  ", "\n", "Some(", "None", "{", "}"].iter().any(|part| text.contains(part));
    assert!(is_clean && !text.is_empty() && text.trim() == text, "{text:?} of {what:?}");
}

/// It goes on after a label: `= fix: ...`.
fn assert_goes_on(text: &str, what: &dyn std::fmt::Debug) {
    assert_clean(text, what);
    let first = text.chars().next().unwrap_or('?');
    let begins = first.is_lowercase() || first.is_ascii_digit() || "`(¿".contains(first);
    assert!(begins && !text.ends_with(['.', ';', ',']), "{text:?} of {what:?}");
}

fn compare(name: &str, language: Language, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("words");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("{name}.{language}"), text));
}

#[test]
fn every_cause_in_every_language() {
    for language in Language::ALL {
        let mut out = String::new();
        for cause in causes() {
            let FindingTexts { message, why, fix } = said(&finding(cause.clone()), &Reader::new(language));
            assert_goes_on(&message, &cause);
            assert_goes_on(&fix, &cause);
            assert_clean(&why, &cause);
            assert!(why.ends_with(['.', '?']), "{why:?} of {cause:?}");
            let text = format!("[{}] {message}\n  why: {why}\n  fix: {fix}\n", cause.key());
            // Many samples differ in what only edits tell.
            if !out.contains(&text) {
                out += &text;
            }
        }
        compare("causes", language, &out);
    }
}

#[test]
fn every_key_of_a_cause_has_a_sample() {
    let given: std::collections::BTreeSet<&str> = causes().iter().map(Cause::key).collect();
    let all: std::collections::BTreeSet<&str> = Cause::KEYS.into_iter().collect();
    assert_eq!(given, all);
}

#[test]
fn every_action_in_every_language() {
    for language in Language::ALL {
        let mut out = String::new();
        for sample in actions() {
            let told = action(&access(AccessKind::Store, sample.clone()), &Reader::new(language));
            assert_goes_on(&told, &sample);
            out += &(told + "\n");
        }
        compare("actions", language, &out);
    }
}

#[test]
fn every_place_in_every_language() {
    for language in Language::ALL {
        let mut out = String::new();
        for sample in places() {
            let at = Finding { place: sample.clone(), ..finding(Cause::FreedForeign) };
            let told = place(&at, &Reader::new(language));
            match sample {
                Where::Nowhere => assert_eq!(told, ""),
                sample => assert_goes_on(&told, &sample),
            }
            out += &(told + "\n");
        }
        compare("places", language, &out);
    }
}

/// Some forms of variants are refused only when they are written or read. A test of `lab/` holds them to their schema.
#[test]
fn every_cause_action_place_and_edit_is_in_json_and_is_read_back() {
    for finding in findings() {
        let json = serde_json::to_value(&finding).unwrap_or_else(|error| panic!("{error}: {finding:?}"));
        assert_eq!(json["cause"]["kind"], finding.cause.key());
        let read: Finding = serde_json::from_value(json).unwrap_or_else(|error| panic!("{error}: {finding:?}"));
        assert_eq!(read, finding);
    }
}

#[test]
fn arguments_are_named_wherever_their_places_stand() {
    let look = |number, index| {
        let look = Look::Value { value: 1, place: argument(number, index) };
        let at = WaitAt::Spin { look: Some(look) };
        let missing = Threads::default();
        access(
            AccessKind::Load,
            Action::Waits(Box::new(Waiting { block: None, threads: lanes(1), at, missing, missing_at: vec![] })),
        )
    };
    let buffer = |number| Where::Byte { offset: 4, buffer: Buffer { bytes: 8, of: BufferName::Argument { number } } };
    let cause = Cause::Livelock(Box::new(Livelock { proven: true, ..Livelock::default() }));
    let text = "__global__ void kernel(int* locks, int* b, int* c) {}";
    let source = |_: &str| Some(Source { path: "a.cu", text });
    let mut finding =
        Finding { accesses: vec![look(1, 0), look(1, 12), look(12, 3)], place: buffer(1), ..finding(cause) };
    let reader = Reader::of(&finding, source, Language::English);
    let actions: Vec<String> = finding.accesses.iter().map(|access| action(access, &reader)).collect();
    let reads = "thread 0 reads here again and again:";
    assert_eq!(actions[0], format!("{reads} `locks[0]` is 1"));
    assert_eq!(actions[1], format!("{reads} `locks[12]` is 1"));
    assert_eq!(actions[2], format!("{reads} element 3 of what argument 12 points to is 1"));
    assert_eq!(place(&finding, &reader), "byte 4 of the 8-byte buffer of `locks`");
    // That the second argument points into a buffer does not say that the access went by it.
    finding.place = buffer(2);
    assert_eq!(
        place(&finding, &Reader::of(&finding, source, Language::English)),
        "byte 4 of the 8-byte buffer of argument 2"
    );
}

#[test]
fn an_access_outside_names_the_element_it_would_be() {
    let near = |element| {
        let buffer = Buffer { bytes: 64, of: BufferName::Argument { number: 1 } };
        let at = Outside::Near { element, far: 4, side: BufferSide::Past, buffer };
        let cause =
            Cause::OutOfBounds { kind: AccessKind::Load, bytes: 4, space: Space::Global, side: BufferSide::Past };
        Finding { place: Where::Outside { at, near: None }, ..finding(cause) }
    };
    let text = "__global__ void kernel(int* data) {}";
    let source = |_: &str| Some(Source { path: "a.cu", text });
    let placed = |finding: &Finding| place(finding, &Reader::of(finding, source, Language::English));
    assert_eq!(
        placed(&near(Some(argument(1, 17)))),
        "`data[17]`, 4 bytes past the end of the 64-byte buffer of `data`"
    );
    assert_eq!(placed(&near(None)), "4 bytes past the end of the 64-byte buffer of argument 1");
}

#[test]
fn what_the_host_copies_is_named_by_its_elements() {
    let copied = |text: &str, language, offset, bytes| {
        let (at, argument) = (Some(at(1)), Some(Beyond { argument: 1, offset }));
        let from = Unwritten::Copied { kernel: Some("kernel".into()), at, argument, bytes, beside: None };
        let copied = Cause::NeverWritten(Box::new(NeverWritten { reached: Reached::Host, from }));
        let copied = finding(copied);
        let reader = Reader::of(&copied, |_| Some(Source { path: "a.cu", text }), language);
        said(&copied, &reader).message
    };
    let english = |offset, bytes| copied("__global__ void kernel(int* out) {}", Language::English, offset, bytes);
    assert_eq!(english(1024, 4), "the host copies `out[256]`, which nothing has written");
    assert_eq!(english(1024, 12), "the host copies `out[256]` to `out[258]`, which nothing has written");
    assert_eq!(english(1023, 4), "the host copies bytes 1023 to 1026 of `out`, which nothing has written");
    assert_eq!(english(1023, 1), "the host copies byte 1023 of `out`, which nothing has written");
    let spanish = |offset, bytes| copied("__global__ void kernel(int* out) {}", Language::Spanish, offset, bytes);
    assert_eq!(spanish(1024, 4), "el host copia memoria que ningún thread escribió: `out[256]`");
    assert_eq!(spanish(1023, 1), "el host copia memoria que ningún thread escribió: byte 1023 de `out`");
    // A parameter without a name has bytes, however large its elements are.
    let unnamed = copied("__global__ void kernel(int*) {}", Language::English, 8, 4);
    assert_eq!(unnamed, "the host copies bytes 8 to 11 of what argument 1 points to, which nothing has written");
}

#[test]
fn a_race_inside_a_library_asks_for_what_the_call_was_given() {
    let advice = |files: [&str; 2]| {
        let pair = BetweenThreads { in_loop: true, one_line: true, ..BetweenThreads::default() };
        let mut race = finding(Cause::Unordered(Box::new(between(Distance::Grid, pair))));
        for (access, file) in race.accesses.iter_mut().zip(files) {
            access.location.as_mut().expect("a line").file = file.into();
        }
        said(&race, &Reader::new(Language::English)).fix
    };
    let [scan, unique] = ["/usr/include/cub/agent/scan.cuh", "/opt/cuda/include/cccl/thrust/unique.h"];
    assert!(advice([scan, unique]).starts_with("both lines are a library's"));
    assert!(!advice([scan, "my/kernel.cu"]).contains("library"));
    assert!(!advice(["my_thrust.cu", "my_thrust.cu"]).contains("library"));
}

#[test]
fn a_misaligned_access_is_told_by_what_breaks_its_alignment() {
    let told = |text: &'static str, (offset, past, element)| {
        let at = Offset::Allocation { offset: 4, bytes: 64 };
        let start = Some(Start { offset, past, element });
        let place =
            Where::Misaligned { at, past: 4, near: Some(MemoryPlace::Argument { number: 1, index: None }), start };
        let cause = Cause::Misaligned { kind: AccessKind::Load, bytes: 16 };
        let finding = Finding {
            place,
            accesses: vec![access(AccessKind::Load, Action::Accessed { bytes: 16 })],
            ..finding(cause)
        };
        let said = said(&finding, &Reader::of(&finding, |_| Some(Source { path: "a.cu", text }), Language::English));
        (said.message, said.fix)
    };
    let floats = "__global__ void kernel(const float* data) {}";
    // The compiler may read pairs of eight bytes: the source knows better.
    let (message, fix) = told(floats, (4, 0, 8));
    assert_eq!(message, "a read of 16 bytes at `data[1]`, whose offset of 4 bytes is not a multiple of 16");
    assert!(fix.contains("whose index is a multiple of 4"), "{fix}");
    let (message, fix) = told(floats, (16, 4, 4));
    assert_eq!(message, "a read of 16 bytes at `data[4]`, whose address is not a multiple of 16");
    assert!(fix.starts_with("pass a pointer"), "{fix}");
    let (message, fix) = told("__global__ void kernel(const float4* data) {}", (4, 0, 16));
    assert_eq!(message, "a read of 16 bytes at byte 4 of `data`, which is not a multiple of 16");
    assert!(fix.contains("a byte whose offset is a multiple of 16"), "{fix}");
}
