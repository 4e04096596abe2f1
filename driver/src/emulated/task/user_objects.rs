//! User objects: data of the program's that graphs hold references to (CUDA C++ Programming Guide, "CUDA User
//! Objects"). The destructor runs when the last reference goes.

use super::HostFunction;
use super::graphs::Graphs;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Destructors of objects without references, which are still to be called.
static DEAD: Mutex<VecDeque<HostFunction>> = Mutex::new(VecDeque::new());

pub(crate) struct UserObject {
    pub(crate) handle: u64,
    pub(crate) destructor: HostFunction,
}

impl Drop for UserObject {
    /// The caller may hold a lock that a call of the program's takes.
    fn drop(&mut self) {
        DEAD.lock().unwrap_or_else(PoisonError::into_inner).push_back(self.destructor);
    }
}

/// Calls the destructors of all objects that have lost their last reference. To be called without a lock.
pub(crate) fn run_destructors() {
    loop {
        let next = DEAD.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some(destructor) = next else { return };
        destructor.call().run(cust_raw::CUresult::CUDA_SUCCESS);
    }
}

/// A graph's references to an object.
#[derive(Clone)]
pub(crate) struct Held {
    pub(crate) object: Arc<UserObject>,
    pub(crate) count: u64,
}

impl Graphs {
    /// Adds references of a graph.
    pub(crate) fn hold(&mut self, graph: u64, object: &Arc<UserObject>, count: u64) {
        let held = self.objects.entry(graph).or_default();
        match held.iter_mut().find(|held| held.object.handle == object.handle) {
            Some(held) => held.count += count,
            None => held.push(Held { object: object.clone(), count }),
        }
    }

    /// Takes references of a graph away. False if it has fewer.
    pub(crate) fn let_go(&mut self, graph: u64, object: u64, count: u64) -> bool {
        let Some(held) = self.objects.get_mut(&graph) else { return false };
        let Some(place) = held.iter().position(|held| held.object.handle == object) else { return false };
        let Some(left) = held[place].count.checked_sub(count) else { return false };
        held[place].count = left;
        held.retain(|held| held.count > 0);
        true
    }

    /// Returns the objects that a graph refers to.
    pub(crate) fn held(&self, graph: u64) -> Vec<Arc<UserObject>> {
        self.objects.get(&graph).into_iter().flatten().map(|held| held.object.clone()).collect()
    }
}
