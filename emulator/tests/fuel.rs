//! Work that a launch does beyond a thread's plain instructions takes its fuel too: so much that it is over in a
//! moment.

use emulator::{Checks, Config, Counters, Device, HostMemory, HostOrder, LaunchConfig, Policy, Profile, Program};
use std::sync::Arc;

const FUEL: u64 = 1 << 16;

/// Returns the counters of a kernel whose threads do `body` for ever; `declared` are variables and functions.
fn endless(policy: Policy, shape: [u32; 2], declared: &str, body: &str) -> Counters {
    let text = format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n{declared}\n.visible .entry kernel(.param .u64 out)\n{{\n\
         .reg .b32 %x<9>, %t;\n.reg .b64 %q<9>, %out;\n.reg .f32 %f<9>;\n.reg .pred %p;\nld.param.u64 %out, [out];\n\
         mov.u32 %t, %tid.x;\n\
         mov.b32 %x0, 0;\nmov.b32 %x1, 0;\nmov.f32 %f0, 0f3F800000;\nagain:\n{body}\nbra again;\n}}\n"
    );
    let program = Arc::new(Program::from_ptx(&[&text]).expect(&text));
    let mut device = Device::new(Profile::default());
    device.configure(Config { checks: Checks::Full, policy, workers: 1, fuel: FUEL, ..Config::default() });
    let module = device.load(&program).unwrap();
    let out = device.allocate(4096, HostMemory::Device).unwrap();
    device.write(out, &[0; 4096], &HostOrder::default()).unwrap();
    let config = LaunchConfig {
        grid: [shape[0], 1, 1],
        block: [shape[1], 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        cluster: None,
    };
    let report = device.launch(&module, 0, &config, &out.to_le_bytes(), &HostOrder::default()).unwrap();
    assert_eq!(report.fault, Some(emulator::Fault::Timeout), "{:?}", report.findings);
    report.counters
}

/// Returns the number of instructions that one thread comes to.
fn alone(declared: &str, body: &str) -> u64 {
    endless(Policy::InOrder, [1, 1], declared, body).thread_instructions
}

/// The first takes so much more fuel than the second.
#[track_caller]
fn takes_more(times: u64, much: u64, little: u64) {
    assert!(0 < much && times * much < little, "{much} and {little} instructions");
}

#[test]
fn a_call_takes_fuel_for_what_it_copies_and_for_its_registers() {
    let argument = |bytes: u32| {
        let declared = format!(".func callee(.param .align 8 .b8 all[{bytes}])\n{{\nret;\n}}");
        let body =
            format!("{{\n.param .align 8 .b8 all[{bytes}];\nst.param.b32 [all], %x0;\ncall.uni callee, (all);\n}}");
        alone(&declared, &body)
    };
    takes_more(20, argument(1 << 16), argument(64));
    let result = |bytes: u32| {
        let declared =
            format!(".func (.param .align 8 .b8 all[{bytes}]) callee()\n{{\nst.param.b32 [all], 1;\nret;\n}}");
        let body = format!("{{\n.param .align 8 .b8 all[{bytes}];\ncall.uni (all), callee;\n}}");
        alone(&declared, &body)
    };
    takes_more(20, result(1 << 16), result(64));
    let registers = |count: u32| {
        let sums: String = (1..count).map(|nth| format!("add.u64 %r{nth}, %r{}, 1;\n", nth - 1)).collect();
        let declared = format!(".func callee()\n{{\n.reg .b64 %r<{count}>;\nbra over;\n{sums}over:\nret;\n}}");
        alone(&declared, "call.uni callee;")
    };
    takes_more(5, registers(4000), registers(8));
}

#[test]
fn registers_that_are_new_take_fuel() {
    let deep = |count: u32| {
        let sums: String = (1..count).map(|nth| format!("add.u64 %r{nth}, %r{}, 1;\n", nth - 1)).collect();
        let declared = format!(
            ".func deeper(.param .b32 left)\n{{\n.reg .b64 %r<{count}>;\n.reg .b32 %left;\nbra over;\n{sums}over:\n\
             ld.param.u32 %left, [left];\nsub.u32 %left, %left, 1;\n\
             {{ .param .b32 less; st.param.b32 [less], %left; call.uni deeper, (less); }}\nret;\n}}"
        );
        let body = "{ .param .b32 left; st.param.b32 [left], %x0; call.uni deeper, (left); }";
        alone(&declared, body)
    };
    takes_more(5, deep(100), deep(2));
}

#[test]
fn a_call_takes_fuel_for_the_frames_that_are_looked_through() {
    // The first thread stays where it is, so deep, and the second asks at each call whether they meet.
    let declared = "
        .func deeper(.param .b32 left)
        {
            .reg .b32 %left;
            .reg .pred %p;
            ld.param.u32 %left, [left];
            setp.eq.u32 %p, %left, 0;
            @!%p bra on;
            bar.sync 1, 64;
            on: sub.u32 %left, %left, 1;
            { .param .b32 less; st.param.b32 [less], %left; call.uni deeper, (less); }
            ret;
        }
        .func short() { ret; }";
    let run = |depth: u32| {
        let body = format!(
            "setp.eq.u32 %p, %t, 0;\nmov.u32 %x1, {depth};\n\
             @%p bra deep;\ncall.uni short;\nbra again;\n\
             deep: {{ .param .b32 left; st.param.b32 [left], %x1; call.uni deeper, (left); }}"
        );
        endless(Policy::Random { seed: 1 }, [1, 2], declared, &body).thread_instructions
    };
    takes_more(3, run(1000), 2 * run(1));
}

#[test]
fn letters_take_fuel() {
    let print = |width: u32| {
        let format: Vec<String> = format!("%{width}d\0").bytes().map(|byte| byte.to_string()).collect();
        let declared = format!(
            ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n\
             .global .align 1 .b8 text[{}] = {{{}}};",
            format.len(),
            format.join(",")
        );
        let body = "
            { .param .b64 a, b; .param .b32 r;
            mov.u64 %q1, text; cvta.global.u64 %q1, %q1; cvta.global.u64 %q2, %out;
            st.param.b64 [a], %q1; st.param.b64 [b], %q2; call.uni (r), vprintf, (a, b); }";
        alone(&declared, body)
    };
    takes_more(10, print(4000), print(1));
}

#[test]
fn memory_that_is_allocated_and_freed_takes_fuel() {
    let declared = ".extern .func (.param .b64 r) malloc(.param .b64 a);\n.extern .func free(.param .b64 a);";
    let allocate = |bytes: u32| {
        let body = format!(
            "{{ .param .b64 a, r; st.param.b64 [a], {bytes}; call.uni (r), malloc, (a); ld.param.b64 %q1, [r]; }}\n\
             {{ .param .b64 a; st.param.b64 [a], %q1; call.uni free, (a); }}"
        );
        alone(declared, &body)
    };
    takes_more(50, allocate(1 << 20), allocate(16));
    let on_stack =
        |bytes: u32| alone("", &format!("stacksave.u64 %q1;\nalloca.u64 %q2, {bytes}, 16;\nstackrestore.u64 %q1;"));
    takes_more(10, on_stack(1 << 17), on_stack(16));
}

#[test]
fn matrices_take_fuel() {
    let multiply = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%x0,%x0,%x0,%x0}, {%x0,%x0}, \
                    {%f0,%f0,%f0,%f0};";
    let run = |body: &str| endless(Policy::InOrder, [1, 32], "", body).thread_instructions;
    let (matrices, sums) = (run(multiply), run("add.u32 %x1, %x1, 1;"));
    assert!(2 * matrices < sums + sums / 10, "{matrices} and {sums} instructions");
}

#[test]
fn what_threads_learn_of_many_others_takes_fuel() {
    // Each thread goes from word to word, so that no two know the same.
    let add = |semantics: &str| {
        let body = format!(
            "add.u32 %x2, %t, %x1;\nand.b32 %x2, %x2, 7;\nmul.wide.u32 %q1, %x2, 4;\nadd.u64 %q1, %q1, %out;\n\
             atom.{semantics}.gpu.global.add.u32 %x3, [%q1], 1;\nadd.u32 %x1, %x1, 1;"
        );
        endless(Policy::Random { seed: 1 }, [32, 64], "", &body).thread_instructions
    };
    takes_more(3, add("acq_rel"), 2 * add("relaxed"));
}

#[test]
fn a_strong_access_takes_more_where_loads_may_get_older_values() {
    let run =
        |policy| endless(policy, [1, 1], "", "atom.relaxed.gpu.global.add.u32 %x1, [%out], 1;").thread_instructions;
    takes_more(5, run(Policy::Adversarial { seed: 1 }), 4 * run(Policy::Random { seed: 1 }));
}

#[test]
fn to_look_whether_threads_spin_takes_no_longer_than_they_ran() {
    // 512 warps that count: none of them comes back to where it was.
    let counted = endless(Policy::Random { seed: 1 }, [64, 256], "", "add.u32 %x1, %x1, 1;");
    assert!(counted.thread_instructions < 20 * FUEL, "{counted:?}");
}
