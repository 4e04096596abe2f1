use super::*;

type Queue = StreamQueues<()>;

/// Runs to the mark. Returns the streams in the order in which their operations ran.
fn run(queue: &mut Queue, mark: &StreamMark) -> Vec<u64> {
    let mut ran = vec![];
    loop {
        match queue.step_to_mark(mark) {
            NextStep::Reached => return ran,
            NextStep::Run(key) => {
                let operation = queue.take(key);
                queue.finished(key, operation.sequence());
                ran.push(key);
            }
            NextStep::Wait | NextStep::Blocked => panic!("no host function here"),
        }
    }
}

fn queue(blocking: &[u64], non_blocking: &[u64]) -> Queue {
    let mut queue = Queue::new();
    blocking.iter().for_each(|&key| queue.open(key, true));
    non_blocking.iter().for_each(|&key| queue.open(key, false));
    queue
}

#[test]
fn waiting_runs_no_more_than_it_needs() {
    let mut queue = queue(&[10, 20], &[]);
    queue.submit(20, &[], Work::nothing());
    queue.submit(10, &[], Work::nothing());
    let mark = queue.submit(10, &[], Work::nothing());
    queue.submit(10, &[], Work::nothing());
    assert_eq!(run(&mut queue, &mark), [10, 10]);
    assert_eq!(queue.step_to_idle(10), NextStep::Run(10));
    assert_eq!(queue.step_to_idle(20), NextStep::Run(20));
}

#[test]
fn a_wait_runs_the_other_stream_first() {
    let mut queue = queue(&[], &[10, 20, 30]);
    let a = queue.submit(10, &[], Work::nothing());
    let b = queue.submit(20, &[&a], Work::nothing());
    queue.submit(30, &[&b], Work::nothing());
    let last = queue.submit(30, &[], Work::nothing());
    assert_eq!(run(&mut queue, &last), [10, 20, 30, 30]);
}

#[test]
fn the_null_stream_waits_for_blocking_streams_and_they_for_it() {
    let mut queue = queue(&[10, 20], &[30]);
    queue.submit(10, &[], Work::nothing());
    queue.submit(30, &[], Work::nothing());
    queue.submit(LEGACY, &[], Work::nothing());
    let later = queue.submit(20, &[], Work::nothing());
    assert_eq!(run(&mut queue, &later), [10, LEGACY, 20]);
    assert_eq!(queue.step_to_idle(30), NextStep::Run(30), "a non-blocking stream takes no part");
}

#[test]
fn the_null_stream_orders_by_clock_what_it_orders_by_queue() {
    let mut queue = queue(&[10, 20], &[30]);
    let first = queue.submit(10, &[], Work::nothing());
    let aside = queue.submit(30, &[], Work::nothing());
    let null = queue.submit(LEGACY, &[], Work::nothing());
    let later = queue.submit(20, &[], Work::nothing());
    let before =
        |a: &StreamMark, b: &StreamMark| b.order.clock[a.order.agent as usize] >= a.order.clock[a.order.agent as usize];
    assert!(before(&first, &null) && before(&null, &later) && before(&first, &later));
    assert!(!before(&aside, &null) && !before(&aside, &later) && !before(&null, &aside));
}

#[test]
fn a_destroyed_blocking_stream_is_still_before_the_null_stream() {
    let mut queue = queue(&[10], &[]);
    let work = queue.submit(10, &[], Work::nothing());
    queue.close(10);
    assert_eq!(run(&mut queue, &work), [10]);
    let null = queue.submit(LEGACY, &[], Work::nothing());
    let agent = work.order.agent as usize;
    assert!(null.order.clock[agent] >= work.order.clock[agent]);
}

#[test]
fn a_closed_stream_ends_with_its_work() {
    let mut queue = queue(&[10], &[]);
    let mark = queue.submit(10, &[], Work::nothing());
    queue.close(10);
    assert_eq!(queue.step_to_mark(&mark), NextStep::Run(10));
    assert_eq!(queue.step_to_empty(), NextStep::Run(10));
    run(&mut queue, &mark);
    assert_eq!(queue.step_to_mark(&mark), NextStep::Reached);
    assert_eq!(queue.step_to_empty(), NextStep::Reached);
}

#[test]
fn emptying_goes_in_the_order_of_submission() {
    let mut queue = queue(&[], &[20, 10]);
    let (a, b) = (queue.submit(20, &[], Work::nothing()), queue.submit(10, &[], Work::nothing()));
    assert_eq!(queue.step_to_empty(), NextStep::Run(20));
    run(&mut queue, &a);
    assert_eq!(queue.step_to_empty(), NextStep::Run(10));
    run(&mut queue, &b);
    assert_eq!(queue.step_to_empty(), NextStep::Reached);
}

#[test]
fn abandoned_work_counts_as_done() {
    let mut queue = queue(&[10], &[]);
    let mark = queue.submit(10, &[], Work::nothing());
    for always in [false, true] {
        queue.submit(10, &[], Work::Host(HostCall { call: Box::new(|_| ()), always }));
    }
    assert_eq!(queue.abandon().len(), 1);
    assert_eq!(queue.step_to_mark(&mark), NextStep::Reached);
}
