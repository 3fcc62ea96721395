//! A process that does at once what tasks and tests do is killed: no process and no file of it is left.

use crate::traces;
use plimsoll_testbed::operators::{Flux, Helm, Storage};
use plimsoll_testbed::promise::{self, Wish};
use plimsoll_testbed::workplace::Workplace;
use std::io::{BufRead as _, BufReader};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};

/// Set for the process that is killed, and so for all that it starts: where its temporary files lie.
const AT_WORK: &str = "PLIMSOLL_TEST_IS_AT_WORK_IN";

#[test]
fn nothing_is_left_of_a_task_that_is_killed() {
    let place = Workplace::open().expect("a folder");
    let temporary = place.path().join("temporary");
    std::fs::create_dir(&temporary).expect("a folder");
    let mut task = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "killed::a_task_is_at_work", "--nocapture"])
        .env(AT_WORK, &temporary)
        .env("TMPDIR", &temporary)
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program again");
    let mut lines = BufReader::new(task.stdout.take().expect("its output")).lines().map_while(Result::ok);
    if !lines.any(|line| line == "at work") {
        // It has said why; a failure is a failure here too.
        assert!(task.wait().expect("its end").success(), "the task has not come to its work");
        return;
    }
    let processes = started_in(&temporary);
    task.kill().and_then(|()| task.wait()).expect("kill -9");
    assert!(processes.len() > 20, "two clusters and their clients: {}", processes.len());
    for (process, handle) in &processes {
        traces::assert_ended(*process, handle);
    }
    assert_eq!(started_in(&temporary).len(), 0, "processes are left");
    let left: Vec<_> = std::fs::read_dir(&temporary).expect("a folder").flatten().collect();
    assert!(left.is_empty(), "files are left: {left:?}");
}

/// Not a test of its own: the process that is killed.
#[test]
fn a_task_is_at_work() {
    if std::env::var_os(AT_WORK).is_none() {
        return;
    }
    let Some(cluster) = crate::start("at-work") else { return };
    let _flux = Flux::lay_out().expect("manifests");
    let _storage = Storage::open(&cluster).expect("a file server");
    let _helm = Helm::new("helm4", &cluster).expect("helm");
    let place = Workplace::open().expect("a folder");
    std::fs::write(place.path().join("file"), "text").expect("written");
    let waits = "sleep 600 & kubectl wait --for=delete namespace/default --timeout=600s";
    let mut client = cluster.command(Path::new("bash")).args(["-c", waits]).spawn().expect("a client");
    let tell = &mut |text: &str| {
        if text.ends_with(" cases") {
            println!("\nat work");
        }
    };
    promise::run(Wish { cases: 1000, seed: 1 }, tell).expect("promises");
    client.wait().expect("its end");
}

/// The processes that have the mark of the task: itself, and all that it has started.
fn started_in(temporary: &Path) -> Vec<(u32, OwnedFd)> {
    let mark = format!("{AT_WORK}={}", temporary.display());
    let has_mark = |process: &u32| {
        let variables = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    };
    let marked = traces::all_processes().into_iter().filter(has_mark);
    marked.filter_map(|process| Some((process, traces::handle(process)?))).collect()
}
