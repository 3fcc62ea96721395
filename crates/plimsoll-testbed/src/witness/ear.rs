//! Listens to a cluster: every message that events, conditions and container states carry, with the time it came.
//!
//! One watch a resource, read from `kubectl get --raw`, which prints what the server sends as it comes.

use super::failure::Failure;
use super::kubectl::Kubectl;
use super::operator::Operator;
use super::room::timestamp;
use crate::fault::transport::translate;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, PipeReader, Read};
use std::process::{Child, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What is listened to besides the kinds of operators.
const RESOURCES: [&str; 6] = [
    "/api/v1/events",
    "/api/v1/pods",
    "/api/v1/persistentvolumeclaims",
    "/apis/autoscaling/v2/horizontalpodautoscalers",
    "/apis/resource.k8s.io/v1/resourceclaims",
    "/apis/gateway.networking.k8s.io/v1/httproutes",
];

/// Everything heard from one cluster since it was entered.
pub(super) struct Ear {
    heard: Arc<Heard>,
    watches: Vec<Child>,
}

#[derive(Default)]
struct Heard {
    messages: Mutex<Vec<Message>>,
    news: Condvar,
}

/// One message.
#[derive(Debug, Clone)]
struct Message {
    namespace: String,
    /// When the object that carries it was made, as Kubernetes writes it: to the second.
    made: String,
    text: String,
}

/// From where on, and in which namespace, a play listens.
#[derive(Debug, Clone)]
pub(super) struct Since {
    pub(super) namespace: String,
    pub(super) made: String,
    pub(super) position: usize,
}

impl Ear {
    /// Begins to listen. A resource that the cluster does not have stays silent.
    pub(super) fn listen(kubectl: &Kubectl, operators: &[&Operator]) -> Result<Self, Failure> {
        let mut ear = Self { heard: Arc::default(), watches: Vec::new() };
        let theirs = operators.iter().flat_map(|operator| operator.listened);
        for resource in RESOURCES.iter().chain(theirs) {
            let mut command = kubectl.command(&kubectl.programs.join("kubectl"));
            let mut watch = command
                .args(["get", "--raw", &format!("{resource}?watch=true")])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .map_err(Failure::program("kubectl"))?;
            if let Some(stdout) = watch.stdout.take() {
                let heard = Arc::clone(&ear.heard);
                std::thread::spawn(move || heard.follow(stdout, Heard::hear));
            }
            ear.watches.push(watch);
        }
        Ok(ear)
    }

    /// Listens to the log of a program as well.
    pub(super) fn listen_to(&self, log: PipeReader) {
        let heard = Arc::clone(&self.heard);
        std::thread::spawn(move || heard.follow(log, Heard::hear_log));
    }

    /// Where the messages are now.
    pub(super) fn now(&self, namespace: &str, made: String) -> Since {
        Since { namespace: namespace.to_owned(), made, position: self.heard.lock().len() }
    }

    /// Waits until a message fits, at most until a deadline.
    pub(super) fn wait(&self, since: &Since, fit: impl Fn(&str) -> bool, deadline: Instant) -> bool {
        let mut messages = self.heard.lock();
        let mut position = since.position;
        loop {
            let new = messages.get(position..).unwrap_or_default();
            if new.iter().any(|message| message.is_of(since) && fit(&message.text)) {
                return true;
            }
            position = messages.len();
            let left = deadline.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return false;
            }
            let (guard, _) =
                self.heard.news.wait_timeout(messages, left).unwrap_or_else(PoisonError::into_inner);
            messages = guard;
        }
    }

    /// Waits until anything new is heard, at most for a time.
    pub(super) fn wait_for_news(&self, most: Duration) {
        let messages = self.heard.lock();
        let _ = self.heard.news.wait_timeout(messages, most);
    }

    /// Everything that was heard, each text once: for a play that missed what it listened for.
    pub(super) fn all(&self, since: &Since) -> Vec<String> {
        let messages = self.heard.lock();
        let new = messages.get(since.position..).unwrap_or_default();
        let mut texts: Vec<String> =
            new.iter().filter(|message| message.is_of(since)).map(|message| message.text.clone()).collect();
        texts.sort();
        texts.dedup();
        texts
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        for watch in &mut self.watches {
            // A watch that has ended already needs no end.
            let _ = watch.kill();
            let _ = watch.wait();
        }
    }
}

impl Heard {
    fn lock(&self) -> MutexGuard<'_, Vec<Message>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears until the watch or the program ends.
    fn follow(&self, output: impl Read, hear: fn(&Self, &str)) {
        BufReader::new(output).lines().map_while(Result::ok).for_each(|line| hear(self, &line));
    }

    /// A line of a log: every text in it is a message, about whatever was made last.
    fn hear_log(&self, line: &str) {
        let Ok(Value::Object(fields)) = serde_json::from_str(line) else { return };
        let texts = fields.values().filter_map(Value::as_str);
        let made = timestamp();
        let new =
            texts.map(|text| Message { namespace: String::new(), made: made.clone(), text: text.to_owned() });
        self.lock().extend(new);
        self.news.notify_all();
    }

    fn hear(&self, line: &str) {
        let Ok(event) = serde_json::from_str::<Value>(line) else { return };
        let Some(object) = event.get("object") else { return };
        let field = |name: &str| {
            let field = object.get("metadata").and_then(|metadata| metadata.get(name));
            field.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let (namespace, made) = (field("namespace"), field("creationTimestamp"));
        let mut texts = Vec::new();
        gather(object, &mut texts);
        let new = texts.into_iter().map(|text| Message {
            namespace: namespace.clone(),
            made: made.clone(),
            // A cluster whose calls to webhooks go through the egress proxy says it in the proxy's words.
            text: translate(text),
        });
        self.lock().extend(new);
        self.news.notify_all();
    }
}

impl Message {
    /// Whether it belongs to a play: in its namespace or in none, about something made since the play began.
    fn is_of(&self, since: &Since) -> bool {
        (self.namespace == since.namespace || self.namespace.is_empty() || since.namespace.is_empty())
            && self.made >= since.made
    }
}

/// Every message of an object, wherever it stands.
pub(super) fn gather<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value.as_str() {
                    Some(text) if ["message", "phaseReason"].contains(&key.as_str()) => texts.push(text),
                    _ => gather(value, texts),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, texts)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_in_a_line_of_a_log_is_a_message() {
        let heard = Heard::default();
        heard.hear_log(r#"{"level":"error","try":2,"error":"secret 'default/users' not found"}"#);
        heard.hear_log("no object");
        let mut texts: Vec<String> = heard.lock().iter().map(|message| message.text.clone()).collect();
        texts.sort();
        assert_eq!(texts, ["error", "secret 'default/users' not found"]);
    }
}
