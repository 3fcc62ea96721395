//! What a cluster of the witness has from the start: the kinds of cert-manager and of the Gateway API, as their own
//! releases define them, devices without a driver, and a running cert-manager with an authority to sign for. Where a play
//! needs them, other operators as well.

use super::company::Company;
use super::failure::Failure;
use super::kubectl::Kubectl;
use super::operator::{CERT_MANAGER, Operator};
use super::trust::{Trust, base64};
use rustix::process::{Pid, Signal, kill_process};
use std::io::PipeReader;
use std::path::Path;
use std::process::Child;

/// Programs that run beside a cluster; they end with this.
#[derive(Debug)]
pub(super) struct Standing {
    operators: Vec<Child>,
    /// The logs of those whose logs are heard.
    pub(super) logs: Vec<PipeReader>,
}

impl Standing {
    /// Sets it all up and waits until it works.
    pub(super) fn set(
        kubectl: &Kubectl,
        folder: &Path,
        trust: &Trust,
        company: &[Company],
    ) -> Result<Self, Failure> {
        let mut standing = Self { operators: Vec::new(), logs: Vec::new() };
        let operators = operators(company);
        for operator in &operators {
            operator.define(kubectl)?;
        }
        kubectl.run(&["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"])?;
        kubectl.run(&["create", "namespace", "cert-manager"])?;
        let devices = folder.join("devices.yaml");
        std::fs::write(&devices, include_str!("stage/devices.yaml")).map_err(Failure::file(&devices))?;
        kubectl.apply(&devices)?;
        let certificates = folder.join("certificates");
        trust.write_certificates(&certificates)?;
        for operator in operators {
            let (process, log) = operator.run(kubectl, &certificates)?;
            standing.operators.push(process);
            standing.logs.extend(log);
        }
        let authority = folder.join("authority.yaml");
        let text = include_str!("stage/authority.yaml")
            .replace("CERTIFICATE", &base64(trust.certificate.as_bytes()))
            .replace("KEY", &base64(trust.key.as_bytes()));
        std::fs::write(&authority, text).map_err(Failure::file(&authority))?;
        kubectl.apply(&authority)?;
        let said =
            kubectl.run(&["wait", "--for=condition=Ready", "clusterissuer/witness", "--timeout=60s"])?;
        if said.is_success {
            return Ok(standing);
        }
        let cause = format!("cert-manager does not answer: {}", said.stderr);
        Err(Failure::Cluster { kubeconfig: kubectl.kubeconfig.display().to_string(), cause })
    }
}

impl Standing {
    /// Lets all operators stand still until what is given back is dropped, so that they make nothing meanwhile.
    pub(super) fn still(&self) -> Still<'_> {
        self.signal(Signal::STOP);
        Still(self)
    }

    fn signal(&self, signal: Signal) {
        for operator in &self.operators {
            // What was started only waits for the operator itself, which is its child.
            let children = format!("/proc/{0}/task/{0}/children", operator.id());
            let children = std::fs::read_to_string(children).unwrap_or_default();
            let own = operator.id().to_string();
            let processes = children.split_whitespace().chain([own.as_str()]);
            for process in processes.filter_map(|number| Pid::from_raw(number.parse().ok()?)) {
                // One that has ended makes nothing either.
                let _ = kill_process(process, signal);
            }
        }
    }
}

/// Operators that stand still.
#[derive(Debug)]
pub(super) struct Still<'s>(&'s Standing);

impl Drop for Still<'_> {
    fn drop(&mut self) {
        self.0.signal(Signal::CONT);
    }
}

/// cert-manager, and the operators among the company.
pub(super) fn operators(company: &[Company]) -> Vec<&'static Operator> {
    let others = company.iter().filter_map(|one| match one {
        Company::Operator(operator) => Some(*operator),
        Company::Helm => None,
    });
    std::iter::once(&CERT_MANAGER).chain(others.filter(|operator| **operator != CERT_MANAGER)).collect()
}

impl Drop for Standing {
    fn drop(&mut self) {
        for operator in &mut self.operators {
            // One that has ended already needs no end.
            let _ = operator.kill();
            let _ = operator.wait();
        }
    }
}
