//! Accesses that get a wider scope, or become atomic.

use crate::text::{at, becomes, edited, load, place, refused, store, update};
use finding::{AtomicAccess, AtomicOperation, Edit, Scope};

fn widen(line: u32, to: Scope) -> Edit {
    Edit::WidenScope { at: at(line), to }
}

#[test]
fn scopes_widen() {
    for (line, to, want) in [
        ("while (atomicOr_block(p, 0) == 0) {}", Scope::Device, "while (atomicOr(p, 0) == 0) {}"),
        ("atomicAdd_block(p, 1);", Scope::System, "atomicAdd_system(p, 1);"),
        ("atomicAdd(p, 1);", Scope::System, "atomicAdd_system(p, 1);"),
        ("__threadfence_block();", Scope::Device, "__threadfence();"),
        ("__threadfence();", Scope::System, "__threadfence_system();"),
        (
            "cuda::atomic_ref<int, cuda::thread_scope_block> f(*p);",
            Scope::Device,
            "cuda::atomic_ref<int, cuda::thread_scope_device> f(*p);",
        ),
        (
            "asm volatile(\"st.release.cta.global.s32 [%0], 1;\" ::\"l\"(p) : \"memory\");",
            Scope::Device,
            "asm volatile(\"st.release.gpu.global.s32 [%0], 1;\" ::\"l\"(p) : \"memory\");",
        ),
        ("asm(\"membar.cta;\");", Scope::Device, "asm(\"membar.gl;\");"),
        ("asm(\"membar.gl;\");", Scope::System, "asm(\"membar.sys;\");"),
    ] {
        becomes(line, &[widen(2, to)], want);
    }
    refused("atomicAdd(p, 1);", &[widen(2, Scope::Device)]);
    refused("asm(\"mbarrier.init.shared::cta.b64 [%0], 1;\");", &[widen(2, Scope::Device)]);
    refused("f(\".cta\");", &[widen(2, Scope::Device)]);
    refused("d[0] = atomicAdd_block(p, 1) + atomicAdd_block(d, 1);", &[widen(2, Scope::Device)]);
}

#[test]
fn a_read_becomes_atomic() {
    for (line, want) in [
        ("int x = *p;", "int x = atomicAdd(p, 0);"),
        ("while (*p == 0) {}", "while (atomicAdd(p, 0) == 0) {}"),
        ("while (p[n] == 0) {}", "while (atomicAdd(&p[n], 0) == 0) {}"),
        ("d[n] = *(p + 1);", "d[n] = atomicAdd(p + 1, 0);"),
        ("if (n > 3 && p[3]) d[0] = 1;", "if (n > 3 && atomicAdd(&p[3], 0)) d[0] = 1;"),
        ("return f(a->b);", "return f(atomicAdd(&a->b, 0));"),
        ("x = n * p[0];", "x = n * atomicAdd(&p[0], 0);"),
    ] {
        becomes(line, &[load(2)], want);
    }
    becomes(
        "__shared__ int flag;\n    while (flag == 0) {}",
        &[load(3)],
        "__shared__ int flag;\n    while (atomicAdd(&flag, 0) == 0) {}",
    );
    refused("x = p[0] + d[0];", &[load(2)]);
    refused("while (n == 0) {}", &[load(2)]);
    refused("p[0] = n;", &[load(2)]);
    becomes(
        "__shared__ volatile int flag;\n    while (flag == 0) {}",
        &[load(3)],
        "__shared__ volatile int flag;\n    while (atomicAdd(const_cast<int*>(&flag), 0) == 0) {}",
    );
    let source = "__device__ void f(volatile int* d) {}\n__global__ void k(int* d, volatile unsigned long long* p) \
        {\n    while (*p == d[0]) {}\n}\n";
    let edit = |column| Edit::MakeAtomic { at: place(3, column), access: AtomicAccess::Load };
    let change = |column, old, new| assert_eq!(edited(source, &[edit(column)]).unwrap(), source.replace(old, new));
    change(12, "(*p", "(atomicAdd(const_cast<unsigned long long*>(p), 0)");
    change(18, "d[0]", "atomicAdd(&d[0], 0)");
    refused("x = &p[3];", &[load(2)]);
    // Which of the two reads, that of the sum or that of the element?
    refused("*p += d[0];", &[load(2)]);
    refused("x = f(d[0]++);", &[load(2)]);
    becomes("x = (int)d[n];", &[load(2)], "x = (int)atomicAdd(&d[n], 0);");
    becomes("x = f(n, *p);", &[load(2)], "x = f(n, atomicAdd(p, 0));");
    becomes("x = n * *p;", &[load(2)], "x = n * atomicAdd(p, 0);");
    becomes("x = n & p[n];", &[load(2)], "x = n & atomicAdd(&p[n], 0);");
    becomes("x = reinterpret_cast<int*>(p)[n];", &[load(2)], "x = atomicAdd(&reinterpret_cast<int*>(p)[n], 0);");
    refused("x = **q;", &[load(2)]);
    let other = "__global__ void other() { __shared__ int sum; }\n__global__ void k() {\n    x = sum;\n}\n";
    assert!(edited(other, &[load(3)]).is_err());
    refused("int now[16], then[16];", &[load(2)]);
    becomes("int x = 0, y = p[n];", &[load(2)], "int x = 0, y = atomicAdd(&p[n], 0);");
    refused("x = f(p)(n);", &[load(2)]);
    // A column tells which.
    let load = Edit::MakeAtomic { at: place(2, 16), access: AtomicAccess::Load };
    becomes("    x = p[0] + d[n];", std::slice::from_ref(&load), "    x = p[0] + atomicAdd(&d[n], 0);");
    becomes("    x = p[0] + d[p[n]];", &[load], "    x = p[0] + atomicAdd(&d[p[n]], 0);");
}

#[test]
fn a_write_becomes_atomic() {
    becomes("*p = 1;", &[store(2)], "atomicExch(p, 1);");
    becomes("if (n == 0) d[n + 1] = p[n];", &[store(2)], "if (n == 0) atomicExch(&d[n + 1], p[n]);");
    refused("int x = 1;", &[store(2)]);
    refused("d[0] = p[0] = 1;", &[store(2)]);
    refused("    d[0] = 1; p[0] = 2;", &[store(2)]);
    let second = Edit::MakeAtomic { at: place(2, 11), access: AtomicAccess::Store };
    becomes("d[0] = 1; p[0] = 2;", &[second], "d[0] = 1; atomicExch(&p[0], 2);");
    refused("d[0] += 1;", &[store(2)]);
}

#[test]
fn an_update_becomes_one_operation() {
    for (line, want) in [
        ("*p += n;", "atomicAdd(p, n);"),
        ("d[n] -= 2 * n;", "atomicSub(&d[n], 2 * n);"),
        ("if (n) d[n]++;", "if (n) atomicAdd(&d[n], 1);"),
        ("++*p;", "atomicAdd(p, 1);"),
        ("--d[n];", "atomicSub(&d[n], 1);"),
        ("(*p)++;", "atomicAdd(p, 1);"),
        ("const unsigned place = (*p)++;", "const unsigned place = atomicAdd(p, 1);"),
        ("d[(*p)++] = n;", "d[atomicAdd(p, 1)] = n;"),
        ("x = ++*p;", "x = (atomicAdd(p, 1) + 1);"),
        ("d[0] |= 1 << n;", "atomicOr(&d[0], 1 << n);"),
        ("d[0] &= n;", "atomicAnd(&d[0], n);"),
        ("d[0] ^= n;", "atomicXor(&d[0], n);"),
        ("d[0] = d[0] + n;", "atomicAdd(&d[0], n);"),
        ("d[0] = d[0] + n - x * y;", "atomicAdd(&d[0], n - x * y);"),
        ("d[0] = n + d[0];", "atomicAdd(&d[0], n);"),
        ("d[0] = d[0] - n;", "atomicSub(&d[0], n);"),
        ("*p = max(*p, n);", "atomicMax(p, n);"),
        ("*p = min(n, *p);", "atomicMin(p, n);"),
        ("if (n > *p) *p = n;", "atomicMax(p, n);"),
        ("if (*p < n) *p = n;", "atomicMax(p, n);"),
        ("if (n < d[1]) {\n        d[1] = n;\n    }", "atomicMin(&d[1], n);"),
        ("if (d[1] > f[n])\n    d[1] = f[n];", "atomicMin(&d[1], f[n]);"),
        ("if (x && n > *p) *p = n;", "if (x) atomicMax(p, n);"),
        ("if (x && n > *p && y) {\n    *p = n; // why\n}", "if (x && y) {\n    atomicMax(p, n); // why\n}"),
        ("h->counts[n]++;", "atomicAdd(&h->counts[n], 1);"),
        ("s[t][n] += p[n];", "atomicAdd(&s[t][n], p[n]);"),
    ] {
        becomes(line, &[update(2, None)], want);
    }
    for line in [
        "d[0] = d[0] - n - 1;",
        "d[0] = n - d[0];",
        "d[0] = d[0] * 2;",
        "d[0] = d[0] + 1 < n;",
        "d[0] = d[0] * 2 + 1;",
        "d[0] = d[0] + d[0];",
        "d[0] *= 2;",
        "x = d[0] += 2;",
        "n++;",
        "int x = 1;",
        "    d[0]++; p[0]++;",
        "*p++;",
        "if (x || n > *p) *p = n;",
        "if (x++ > *p) *p = x++;",
        "if (n > d[x++]) d[x++] = n;",
        "if (n > *p) *p = 1;",
        "if (n > *p) d[0] = n;",
        "if (n > *p) *p = n; else d[0] = 1;",
    ] {
        refused(line, &[update(2, None)]);
    }
    becomes("d[0] -= 1;", &[update(2, Some(AtomicOperation::Add))], "atomicSub(&d[0], 1);");
    refused("d[0] -= 1;", &[update(2, Some(AtomicOperation::Max))]);
}
