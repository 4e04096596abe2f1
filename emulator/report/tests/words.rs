//! Every cause, action and place has words, and a form in JSON; what has several branches is compared whole.

mod samples;

use finding::*;
use report::{Names, Source, action, help, message, place, said, why};
use samples::*;

/// One line that goes on from a label: `= why: no barrier ...`.
fn assert_fits(text: &str, what: &dyn std::fmt::Debug) {
    let first = text.chars().next().unwrap_or('?');
    let begins = first.is_lowercase() || first.is_ascii_digit() || "`(".contains(first);
    // A name that Rust has for a variant must not get into the text.
    let is_clean = !text.contains("  ") && !text.contains('\n') && !text.contains("Some(") && !text.contains("None");
    assert!(begins && is_clean && !text.ends_with(['.', ' ', ';', ',']), "{text:?} of {what:?}");
}

#[test]
fn every_cause_has_one_line_of_each_sort() {
    for cause in causes() {
        let told = said(&finding(cause.clone()), &Names::default());
        for text in [&told.message, &told.why, &told.help] {
            assert_fits(text, &cause);
        }
    }
}

#[test]
fn every_key_of_a_cause_has_a_sample() {
    let given: std::collections::BTreeSet<&str> = causes().iter().map(Cause::key).collect();
    let all: std::collections::BTreeSet<&str> = Cause::KEYS.into_iter().collect();
    assert_eq!(given, all);
}

#[test]
fn every_action_has_one_line() {
    for sample in actions() {
        assert_fits(&action(&access(AccessKind::Store, sample.clone()), &Names::default()), &sample);
    }
}

#[test]
fn every_place_has_one_line() {
    for sample in places() {
        let told = place(&Finding { place: sample.clone(), ..finding(Cause::FreedForeign) }, &Names::default());
        match sample {
            Where::Nowhere => assert_eq!(told, ""),
            sample => assert_fits(&told, &sample),
        }
    }
}

/// Some forms of variants are refused only when they are written.
#[test]
fn every_cause_action_place_and_edit_is_in_json_as_its_schema_says() {
    let schema = schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator();
    let schema = serde_json::to_value(schema.into_root_schema_for::<Finding>()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let (barrier, scope, to) = (BarrierKind::Warp { mask: 3 }, Scope::Device, Scope::Device);
    let remedies = vec![vec![
        Edit::InsertBarrier { barrier, at: Position::Between { first: at(7), second: at(9) } },
        Edit::InsertBarrier { barrier: BarrierKind::Grid, at: Position::Before { at: at(7) } },
        Edit::InsertFence { scope, at: Position::After { at: at(7) } },
        Edit::WidenScope { at: at(7), to },
        Edit::MakeAtomic { at: at(7), access: AtomicAccess::Store },
        Edit::MakeAtomic { at: at(7), access: AtomicAccess::Update { operation: Some(AtomicOperation::Add) } },
        Edit::ChangeMask { at: at(7), mask: 3 },
        Edit::ChangeWidth { at: at(7), width: 8 },
        Edit::BoundIndex { at: at(7) },
        Edit::UseReturned { at: at(7), of: at(5) },
    ]];
    let findings = causes().into_iter().map(finding).chain(
        actions()
            .into_iter()
            .map(|action| Finding { accesses: vec![access(AccessKind::Load, action)], ..finding(Cause::FreedForeign) })
            .chain(places().into_iter().map(|place| Finding { place, ..finding(Cause::FreedForeign) }))
            .chain([Finding { remedies, ..finding(Cause::FreedForeign) }]),
    );
    for finding in findings {
        let json = serde_json::to_value(&finding).unwrap_or_else(|error| panic!("{error}: {finding:?}"));
        let errors: Vec<String> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
        assert_eq!(json["cause"]["kind"], finding.cause.key());
    }
}

fn none() -> Names {
    Names::default()
}

#[test]
fn both_accesses_are_named_by_what_they_were() {
    let mut it = race(between(Distance::Block, pair()));
    assert_eq!(message(&it, &none()), "a store and a load of `data[5]` are not ordered");
    it.accesses.swap(0, 1);
    assert_eq!(message(&it, &none()), "a load and a store of `data[5]` are not ordered");
    it.accesses[0] = access(AccessKind::Store, Action::Stored { value: int(1) });
    assert_eq!(message(&it, &none()), "two stores of `data[5]` are not ordered");
    let Cause::Unordered(unordered) = &mut it.cause else { unreachable!("made above") };
    unordered.same_value = true;
    unordered.place = Place::Unnamed { bytes: 8 };
    assert_eq!(message(&it, &none()), "two stores of the same 8 bytes are not ordered, but write the same value");
    let copy = access(AccessKind::AsyncCopy, Action::StartedCopyTo);
    let it = Finding {
        accesses: vec![copy.clone(), copy],
        ..race(Unordered { allowed: true, ..between(Distance::Grid, pair()) })
    };
    assert_eq!(message(&it, &none()), "two asynchronous copies of `data[5]` may come in either order");
}

#[test]
fn who_else_races_stands_behind_all_that_is_said_of_the_pair() {
    let mut race = race(Unordered {
        others: vec![Distance::Warp, Distance::Grid],
        ..between(Distance::Block, BetweenThreads { missing: missing().into_iter().next(), ..pair() })
    });
    assert_eq!(
        why(&race, &none()),
        "no barrier that both threads reach lies between the two accesses; it was seen that (1) was done, but no fence lies between \
         that and (2); threads of one warp, and of different blocks race here too"
    );
    race.severity = Severity::Hint;
    assert!(why(&race, &none()).ends_with("; threads of one warp, and of different blocks do so too"));
}

#[test]
fn what_is_too_narrow_for_some_threads_is_the_fix_for_all() {
    let part = |what, line| NarrowPart { at: Some(at(line)), what, has: Scope::Block };
    let add = Synchroniser::Atomic { operation: AtomicOperation::Add };
    let narrow = Narrow { parts: vec![part(Synchroniser::Fence, 8), part(add, 9), part(add, 9)] };
    let reach = "the fence in line 8 and the atomic operation in line 9 reach their own block only, and (1) and (2) are in different \
                 blocks";
    let fix = "give the fence in line 8 and the atomic operation in line 9 device scope: `__threadfence()` for \
               `__threadfence_block()`, `atomicAdd()` or `atomicSub()` for the same with `_block`; of `cuda::` objects \
               `thread_scope_device` for `thread_scope_block`; a flag or lock between blocks needs it on both sides";
    let own = race(unordered(Distance::Grid, Relation::ScopeTooNarrow(narrow.clone())));
    assert_eq!((why(&own, &none()), help(&own, &none())), (reach.to_string(), fix.to_string()));
    let other = race(Unordered { narrow_elsewhere: Some(narrow), ..between(Distance::Grid, pair()) });
    let base = "they are in different blocks, and blocks are not ordered within a launch; between other threads here ";
    assert_eq!((why(&other, &none()), help(&other, &none())), (format!("{base}{reach}"), fix.to_string()));

    let unknown = Narrow { parts: vec![NarrowPart { at: None, ..part(Synchroniser::Load, 1) }] };
    let unknown = race(unordered(Distance::Grid, Relation::ScopeTooNarrow(unknown)));
    assert_eq!(
        help(&unknown, &none()),
        "give the synchronisation between them device scope: the function without `_block` in its name; of `cuda::` objects \
         `thread_scope_device` for `thread_scope_block`; a flag or lock between blocks needs it on both sides"
    );
}

#[test]
fn what_a_lock_lacks_is_told_alone_between_lanes() {
    let lock = |number| Some(Place::Argument { number, index: None });
    let missing = Some(Missing::Locks { first: lock(1), second: lock(2), one_block: true });
    let within = |distance| race(between(distance, BetweenThreads { missing: missing.clone(), ..pair() }));
    let names = Names::default().with(2, "other");
    let told = "(1) was made under the lock what argument 1 points to and (2) under `*other`: no lock keeps them apart";
    assert_eq!(why(&within(Distance::Warp), &names), told);
    let base = "no barrier that both threads reach lies between the two accesses; ";
    assert_eq!(why(&within(Distance::Block), &names), format!("{base}{told}"));
    assert_eq!(
        help(&within(Distance::Block), &names),
        "let both threads hold one lock, the same, around these lines; a fence belongs behind the line that takes it and before the \
         one that gives it back"
    );
}

#[test]
fn a_lane_alone_in_a_branch_gets_the_mask_of_its_branch() {
    let branch = Some(Branch { at: at(3), lanes: 0xff });
    let race = race(between(Distance::Warp, BetweenThreads { branch, ..pair() }));
    assert_eq!(
        help(&race, &none()),
        "put a `__syncwarp()` that both lanes reach between the two lines; a `__syncthreads()` if threads of other warps use the \
         place too; where lanes 0x000000ff come alone, as behind the branch in line 3, `__syncwarp(0x000000ff)`"
    );
}

#[test]
fn a_flag_is_told_by_its_plain_side() {
    let polled =
        |polled, strong| race(between(Distance::Grid, BetweenThreads { polled: Some(polled), strong, ..pair() }));
    let flag = polled(Polled::Again, Some(0));
    assert_eq!(why(&flag, &none()), "(1) is atomic or volatile and (2) is a plain access, and nothing orders the two");
    assert_eq!(
        help(&flag, &none()),
        "a flag that others wait for is atomic or volatile on both sides: make (2) so too (`atomicExch(p, 1)` stores, \
         `atomicAdd(p, 0)` loads); what it announces needs a `__threadfence()` before it is set and one after it was seen"
    );
    let once = polled(Polled::Once { at: Some(at(4)) }, None);
    assert_eq!(
        why(&once, &none()),
        "they are in different blocks, and blocks are not ordered within a launch; if the loop in line 4 is to wait for it, it looks \
         no second time: a compiler takes a plain load out of a loop"
    );
    assert!(help(&once, &none()).starts_with("if a loop waits for it: a flag that others wait for"));
    assert!(help(&once, &none()).contains(": make both so ("));
}

#[test]
fn a_plain_access_beside_an_atomic_one_is_told_as_its_atomic_kind() {
    let mixed = |plain, distance| race(between(distance, BetweenThreads { strong: Some(1), plain, ..pair() }));
    assert_eq!(
        help(&mixed(PlainAccess::Update, Distance::Grid), &none()),
        "let a launch end between the two; or, if it does not matter which of them comes first, make (1) atomic too (one atomic \
         operation for all that its line does, such as `atomicAdd(p, v)` for `*p += v`)"
    );
    assert_eq!(
        help(&mixed(PlainAccess::Store, Distance::Block), &none()),
        "put a `__syncthreads()` that all threads of the block reach between the two lines; or, if it does not matter which of them \
         comes first, make (1) atomic too (`atomicExch(p, v)` is an atomic store)"
    );
}

#[test]
fn threads_that_wait_say_for_whom_and_what_they_find() {
    let names = Names::default().with(1, "locks");
    let told = |waiting: Waiting| action(&Access::of_host(Action::Waits(Box::new(waiting))), &names);
    let place = argument(1, 2);
    let spin = |threads, block| Waiting {
        block,
        threads,
        at: WaitAt::Spin { look: Some(Look::Value { value: -1, place: place.clone() }) },
        missing: Threads::default(),
        missing_at: vec![],
    };
    assert_eq!(told(spin(lanes(1), None)), "thread 0 looks here again and again and finds -1 in `locks[2]`");
    assert_eq!(
        told(spin(lanes(3), Some([1, 2, 0]))),
        "block (1,2,0), threads 0 and 1 look here again and again and find -1 in `locks[2]`"
    );
    let arrivals = WaitAt::Spin { look: Some(Look::ArrivalsMissing { count: 2, place: Place::Unnamed { bytes: 8 } }) };
    assert_eq!(
        told(Waiting { at: arrivals, ..spin(lanes(3), None) }),
        "threads 0 and 1 look here again and again and find that 2 arrivals are missing at what is there"
    );
    let barrier =
        WaitAt::Barrier { barrier: BarrierName::SyncThreads, counted: Some(Counted { expected: 64, come: 31 }) };
    assert_eq!(
        told(Waiting { at: barrier, missing: lanes(6), missing_at: vec![1, 3], ..spin(lanes(1), None) }),
        "thread 0 waits at `__syncthreads()` until 64 threads have come, and 31 have for threads 1 and 2, who stand at (1), (3)"
    );
    assert_eq!(
        told(Waiting { at: WaitAt::Spin { look: None }, ..spin(lanes(3), None) }),
        "threads 0 and 1 go round here"
    );
    let set =
        Action::Set { block: Some([3, 0, 0]), place: Some(place.clone()), value: 1, fate: Fate::StandsAt { end: 2 } };
    assert_eq!(action(&Access::of_host(set), &names), "of block 3 set `locks[2]` to 1, and stands at (2) now");
}

#[test]
fn an_access_by_an_earlier_launch_names_its_kernel() {
    let stored = Value { stale: true, ..int(3).expect("a value") };
    let earlier = Action::Earlier { action: Box::new(Action::Stored { value: Some(stored) }), kernel: "fill".into() };
    let told = action(&access(AccessKind::Store, earlier), &none());
    assert_eq!(told, "stored 3, which is no longer the latest value in `fill`, an earlier launch");
    let accessed = |kind| action(&access(kind, Action::Accessed { bytes: 8 }), &none());
    assert_eq!(accessed(AccessKind::Load), "loads 8 bytes");
    assert_eq!(accessed(AccessKind::Atomic), "updates 8 bytes");
}

#[test]
fn a_launch_without_end_says_what_is_left() {
    let livelock = |proven, more_blocks, not_begun| {
        let it = Livelock { proven, instructions: 100, fuel: 90, more_blocks, not_begun, reason: None };
        why(&finding(Cause::Livelock(Box::new(it))), &none())
    };
    let proven = "every thread that does not wait comes back to where it was, and none of them changes what it looks at: no schedule \
                  ends this";
    assert_eq!(
        livelock(true, 1, 1),
        format!("{proven} (1 more block is like this); 1 block has not begun: it waits for a place on the device")
    );
    assert_eq!(
        livelock(true, 2, 3),
        format!(
            "{proven} (2 more blocks are like these); 3 blocks have not begun: they wait for a place on the device"
        )
    );
    assert_eq!(
        livelock(false, 0, 3),
        "it has run 100 thread instructions, and no thread of the grid has ended in the last 90, all that it was given; it may only \
         be long"
    );
}

#[test]
fn a_variable_that_is_written_on_other_ways_names_their_lines() {
    let of = |writers| {
        let value = NeverWritten {
            reached: Reached::Decision { decision: Decision::Branch },
            from: Unwritten::Unknown { writers },
        };
        finding(Cause::NeverWritten(Box::new(value)))
    };
    let it = of(vec![at(9), at(3), at(9), at(5)]);
    assert_eq!(
        why(&it, &none()),
        "it is made of a variable that line 3, 5 or 9 writes, and this thread came here by another way"
    );
    assert_eq!(
        help(&it, &none()),
        "write it before this line on every path that leads here; what line 3, 5 or 9 gives to the threads that come there, a \
         shuffle or shared memory hands to the others"
    );
    assert_eq!(why(&of(vec![]), &none()), "the value comes from memory or a variable that nothing has written");
}

#[test]
fn a_warp_is_placed_before_its_block_where_it_alone_is_meant() {
    let at = Where::Warp { block: [1, 0, 0], warp: 2 };
    let placed = |cause| place(&Finding { place: at.clone(), ..finding(cause) }, &none());
    let shuffle = Cause::ShuffleBeyond { function: "__shfl_up_sync()", direction: None };
    assert_eq!(placed(shuffle), "warp 2 of block (1,0,0)");
    let divergence = Cause::BarrierDivergence { barrier: 0, one_line: false, in_loop: false };
    assert_eq!(placed(divergence), "block (1,0,0), warp 2");
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
    let cause = Cause::Livelock(Box::new(Livelock {
        proven: true,
        instructions: 1,
        fuel: 1,
        more_blocks: 0,
        not_begun: 0,
        reason: None,
    }));
    let text = "__global__ void kernel(int* locks, int* b, int* c) {}";
    let source = |_: &str| Some(Source { path: "a.cu", text });
    let mut finding =
        Finding { accesses: vec![look(1, 0), look(1, 12), look(12, 3)], place: buffer(1), ..finding(cause) };
    let names = Names::of(&finding, source);
    let actions: Vec<String> = finding.accesses.iter().map(|access| action(access, &names)).collect();
    let finds = "thread 0 looks here again and again and finds 1 in";
    assert_eq!(actions[0], format!("{finds} `locks[0]`"));
    assert_eq!(actions[1], format!("{finds} `locks[12]`"));
    assert_eq!(actions[2], format!("{finds} element 3 of what argument 12 points to"));
    assert_eq!(place(&finding, &names), "byte 4 of the 8-byte buffer that `locks` points to");
    // That the second argument points into a buffer does not say that the access went by it.
    finding.place = buffer(2);
    assert_eq!(place(&finding, &Names::of(&finding, source)), "byte 4 of the 8-byte buffer that argument 2 points to");
}

#[test]
fn an_access_outside_names_the_element_it_would_be() {
    let near = |element| {
        let buffer = Buffer { bytes: 64, of: BufferName::Argument { number: 1 } };
        let at = Outside::Near { element, far: 4, side: Side::Past, buffer };
        let cause = Cause::OutOfBounds { kind: AccessKind::Load, bytes: 4, space: Space::Global, side: Side::Past };
        Finding { place: Where::Outside { at, near: None }, ..finding(cause) }
    };
    let text = "__global__ void kernel(int* data) {}";
    let source = |_: &str| Some(Source { path: "a.cu", text });
    let placed = |finding: &Finding| place(finding, &Names::of(finding, source));
    assert_eq!(
        placed(&near(Some(argument(1, 17)))),
        "`data[17]`, 4 bytes past the end of the 64-byte buffer that `data` points to"
    );
    assert_eq!(placed(&near(None)), "4 bytes past the end of the 64-byte buffer that argument 1 points to");
}
