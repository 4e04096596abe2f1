//! The context of an event: its site, and the history of its warp.

use crate::evidence::exited::Exited;
use crate::evidence::warp::WarpTrace;
use crate::sites::{LaunchPlace, Sites};
use finding::Gone;
use machine::run::launch::Launch;
use machine::watch::At;

pub struct Here<'a> {
    /// The launch's number among the device's.
    pub number: u32,
    pub sites: &'a mut Sites,
    pub warp: &'a WarpTrace,
    /// The threads of the block that have ended, if they matter.
    pub exited: Option<&'a Exited>,
}

impl Here<'_> {
    pub fn launch_place(&mut self, at: &At) -> LaunchPlace {
        LaunchPlace { launch: self.number, site: self.warp.site(self.sites, at) }
    }

    /// Returns the threads for which the last barrier did not wait.
    pub fn gone(&self, launch: &Launch) -> Option<Gone> {
        let passed = self.warp.passed();
        let (threads, site) = self.exited?.gone_before(passed)?;
        let line = |site: u32| self.sites.user_lines(launch.code, site).0;
        Some(Gone { threads, end: line(site)?, barrier: line(passed.site)? })
    }
}
