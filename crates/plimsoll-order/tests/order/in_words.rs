//! Deployments in the words of the model, small enough to follow by hand.

use crate::words::{World, delay, object, one, seconds};
use Milestone::{Complete, Established, Observed, Ready, Serving, Started, Stored, Submitted};
use plimsoll_model::{Confidence, Milestone, Reading};
use plimsoll_order::{Breach, Ground, Order, Race, Side, Stuck};
use std::time::Duration;

/// kubectl sends a CRD and then an instance of it, without a wait.
fn crd_and_instance() -> World {
    let mut world = World::default();
    let (crd, instance) = (object("CustomResourceDefinition", "widgets"), object("Widget", "first"));
    world.causes(crd.at(Submitted), &[], delay(0, 0, 1));
    world.causes(crd.at(Stored), &[one(crd.at(Submitted))], delay(1, 1, 2));
    world.causes(crd.at(Established), &[one(crd.at(Stored))], delay(1, 5, 30));
    world.causes(instance.at(Submitted), &[], delay(0, 0, 1));
    world.causes(instance.at(Stored), &[one(instance.at(Submitted))], delay(1, 1, 2));
    world.guarantees(&[crd.at(Stored)], &[instance.at(Submitted)]);
    world.requires(&[crd.at(Established)], instance.at(Stored), Reading::Once);
    world
}

#[test]
fn an_instance_right_behind_its_crd_is_a_race() {
    let world = crd_and_instance();
    let order = Order::new(&world.question());
    let races = order.races();
    let expected = Race {
        breach: Breach::Requirement(0),
        fails_at: seconds(2),
        arrival: Some(seconds(6)),
        recovers: true,
        healed_at: None,
    };
    assert_eq!(races, [expected]);
    let course = order.course(races[0].breach, |_| true).unwrap();
    let crd = object("CustomResourceDefinition", "widgets");
    let before: Vec<_> =
        course.prefix.iter().map(|reached| (format!("{:?}", reached.moment), reached.time)).collect();
    assert_eq!(before.len(), 3, "{before:?}");
    assert_eq!(course.prefix[1].moment, crd.at(Stored));
    assert_eq!(course.prefix[1].time, seconds(1));
    assert_eq!(course.fails_at, seconds(2));
    assert_eq!(course.provider.len(), 1);
    assert_eq!((&course.provider[0].moment, course.provider[0].time), (&crd.at(Established), seconds(6)));
    order.check().unwrap();
}

#[test]
fn a_wait_between_crd_and_instance_holds_the_pair() {
    let mut world = crd_and_instance();
    let (crd, instance) = (object("CustomResourceDefinition", "widgets"), object("Widget", "first"));
    world.guarantees(&[crd.at(Established)], &[instance.at(Submitted)]);
    let order = Order::new(&world.question());
    assert_eq!(order.races(), []);
    order.check().unwrap();
    let links = order.why_held(&crd.at(Established), &instance.at(Stored)).unwrap();
    let grounds: Vec<Ground> = links.iter().map(|link| link.ground).collect();
    assert_eq!(grounds, [Ground::Guarantee(1), Ground::Cause(4)]);
    assert_eq!(links[0].first, crd.at(Established));
    assert_eq!(links[1].then, instance.at(Stored));
    assert_eq!(order.why_held(&instance.at(Stored), &crd.at(Established)), None);
}

#[test]
fn the_repair_of_a_race_is_the_missing_wait() {
    let world = crd_and_instance();
    let repair = Order::new(&world.question()).repair();
    let (crd, instance) = (object("CustomResourceDefinition", "widgets"), object("Widget", "first"));
    assert_eq!(repair.beyond, []);
    assert_eq!(repair.edges.len(), 1);
    assert_eq!(repair.edges[0].side, Side::After);
    assert_eq!(repair.edges[0].waits, [(instance.at(Stored), vec![crd.at(Established)])]);
}

#[test]
fn what_is_given_races_with_nothing() {
    let mut world = crd_and_instance();
    world.given.push(object("CustomResourceDefinition", "widgets").at(Established));
    let order = Order::new(&world.question());
    assert_eq!(order.races(), []);
    order.check().unwrap();
    let (crd, instance) = (object("CustomResourceDefinition", "widgets"), object("Widget", "first"));
    assert_eq!(order.why_held(&crd.at(Established), &instance.at(Stored)), Some(Vec::new()));
}

/// A webhook is registered before its pods answer; a write in between is refused.
fn webhook() -> World {
    let mut world = World::default();
    let (hook, pods, write) =
        (object("Webhook", "guard"), object("Deployment", "guard"), object("Widget", "first"));
    world.causes(hook.at(Stored), &[], delay(1, 1, 1));
    world.causes(pods.at(Stored), &[], delay(1, 1, 1));
    world.causes(pods.at(Serving), &[one(pods.at(Stored))], delay(3, 20, 120));
    world.causes(write.at(Stored), &[], delay(1, 1, 1));
    world.window(&[hook.at(Stored)], &[pods.at(Serving)], write.at(Stored));
    world
}

#[test]
fn a_write_between_registration_and_serving_falls_into_the_window() {
    let world = webhook();
    let order = Order::new(&world.question());
    let races = order.races();
    assert_eq!(races.len(), 1);
    assert_eq!(races[0].breach, Breach::Window(0));
    assert_eq!(races[0].arrival, Some(seconds(21)));
    assert!(races[0].recovers);
    let course = order.course(Breach::Window(0), |_| true).unwrap();
    assert_eq!(course.prefix.len(), 1);
    assert_eq!(course.prefix[0].moment, object("Webhook", "guard").at(Stored));
    let repair = order.repair();
    assert_eq!(repair.edges[0].side, Side::After);
    order.check().unwrap();
}

#[test]
fn a_webhook_that_admits_its_own_pods_opens_only_after_them() {
    let mut world = webhook();
    let (hook, pods) = (object("Webhook", "guard"), object("Deployment", "guard"));
    world.windows.clear();
    world.window(&[hook.at(Stored)], &[pods.at(Serving)], pods.at(Stored));
    let order = Order::new(&world.question());
    let races = order.races();
    assert_eq!(races.len(), 1);
    assert!(!races[0].recovers, "its pods are needed to serve");
    let repair = order.repair();
    assert_eq!(repair.edges[0].side, Side::BeforeOpen);
    assert_eq!(repair.edges[0].waits, [(hook.at(Stored), vec![pods.at(Stored)])]);
}

#[test]
fn a_reader_that_tries_again_heals_at_its_next_try() {
    let mut world = World::default();
    let (secret, pod) = (object("Secret", "tls"), object("Pod", "web"));
    world.causes(secret.at(Stored), &[], delay(1, 12, 60));
    world.causes(pod.at(Observed), &[], delay(2, 2, 2));
    world.causes(pod.at(Started), &[one(pod.at(Observed))], delay(0, 0, 0));
    let reading = Reading::Retried { first: seconds(2), longest: seconds(60) };
    world.requires(&[secret.at(Stored)], pod.at(Started), reading);
    let order = Order::new(&world.question());
    let race = order.races()[0];
    assert_eq!((race.fails_at, race.arrival), (seconds(2), Some(seconds(12))));
    assert_eq!(race.healed_at, Some(seconds(16)), "tries at 2, 4, 8 and 16 s");
    assert_eq!(order.usual_time(&pod.at(Started)), Some(seconds(16)));
    order.check().unwrap();
}

#[test]
fn a_provider_that_never_comes_is_a_race_and_says_so() {
    let mut world = World::default();
    let (secret, pod) = (object("Secret", "tls"), object("Pod", "web"));
    world.causes(pod.at(Started), &[], delay(1, 1, 1));
    world.requires(&[secret.at(Stored)], pod.at(Started), Reading::Once);
    world.requires(&[], pod.at(Started), Reading::Once);
    let order = Order::new(&world.question());
    let races = order.races();
    assert_eq!(races.len(), 2);
    assert!(races.iter().all(|race| race.arrival.is_none() && !race.recovers));
    assert!(order.course(races[0].breach, |_| true).unwrap().provider.is_empty());
    let repair = order.repair();
    assert_eq!((repair.edges.len(), repair.beyond.len()), (0, 2));
    assert!(repair.beyond.iter().all(|beyond| beyond.circle.is_empty()));
    order.check().unwrap();
}

#[test]
fn a_silent_reader_does_not_hide_what_comes_behind_it() {
    let mut world = World::default();
    let (policy, pod, service) = (object("Policy", "inject"), object("Pod", "web"), object("Service", "db"));
    world.causes(policy.at(Ready), &[], delay(5, 5, 5));
    world.causes(service.at(Ready), &[one(policy.at(Ready))], delay(5, 5, 5));
    world.causes(pod.at(Stored), &[], delay(1, 1, 1));
    world.causes(pod.at(Started), &[one(pod.at(Stored))], delay(1, 1, 1));
    world.requires(&[policy.at(Ready)], pod.at(Stored), Reading::OnceSilently);
    world.requires(&[policy.at(Ready)], pod.at(Started), Reading::Once);
    world.requires(&[service.at(Ready)], pod.at(Started), Reading::Once);
    world.requirements[2].confidence = Confidence::Heuristic;
    let order = Order::new(&world.question());
    let breaches: Vec<Breach> = order.races().iter().map(|race| race.breach).collect();
    assert_eq!(breaches, [0, 1, 2].map(Breach::Requirement));
    order.check().unwrap();
}

#[test]
fn a_wait_for_a_later_hook_is_a_circle() {
    let mut world = World::default();
    let (web, job) = (object("Deployment", "web"), object("Job", "migrate"));
    world.causes(web.at(Stored), &[], delay(1, 1, 1));
    world.causes(web.at(Ready), &[one(web.at(Stored)), one(job.at(Complete))], delay(1, 1, 1));
    world.causes(job.at(Stored), &[], delay(1, 1, 1));
    world.causes(job.at(Complete), &[one(job.at(Stored))], delay(1, 1, 1));
    world.guarantees(&[web.at(Stored), web.at(Ready)], &[job.at(Submitted), job.at(Stored)]);
    let order = Order::new(&world.question());
    let stuck = order.stuck();
    let [Stuck::Circle(links)] = stuck.as_slice() else { panic!("{stuck:?}") };
    let then: Vec<_> = links.iter().map(|link| link.then.clone()).collect();
    let first: Vec<_> = links.iter().map(|link| link.first.clone()).collect();
    assert_eq!(then.len(), 3, "the barrier of the guarantee is no moment: {links:?}");
    assert_eq!(then[1..], first[..2], "each waits for the next");
    assert_eq!(then[0], first[2], "and the last for the first");
    assert!(links.iter().any(|link| link.ground == Ground::Guarantee(0)));
}

#[test]
fn a_moment_that_waits_for_what_nobody_brings_about_is_stuck() {
    let mut world = World::default();
    let (secret, pod) = (object("Secret", "tls"), object("Pod", "web"));
    world.causes(pod.at(Started), &[one(secret.at(Stored))], delay(1, 1, 1));
    world.causes(pod.at(Ready), &[one(pod.at(Started))], delay(1, 1, 1));
    let stuck = Order::new(&world.question()).stuck();
    let [Stuck::Missing { awaited, waiting }] = stuck.as_slice() else { panic!("{stuck:?}") };
    assert_eq!(awaited, &[secret.at(Stored)]);
    assert_eq!(waiting.len(), 1, "only the root is named");
    assert_eq!(waiting[0].moment, pod.at(Started));
}

#[test]
fn the_first_of_several_causes_brings_a_moment_about() {
    let mut world = World::default();
    let (secret, tool, operator) =
        (object("Secret", "tls"), object("Step", "one"), object("Certificate", "tls"));
    world.causes(tool.at(Stored), &[], delay(9, 9, 9));
    world.causes(operator.at(Stored), &[], delay(2, 2, 2));
    world.causes(secret.at(Stored), &[one(tool.at(Stored))], delay(1, 1, 1));
    world.causes(secret.at(Stored), &[one(operator.at(Stored))], delay(1, 1, 1));
    let order = Order::new(&world.question());
    assert_eq!(order.usual_time(&secret.at(Stored)), Some(seconds(3)));
    assert_eq!(order.why_held(&tool.at(Stored), &secret.at(Stored)), None, "the operator may be first");
    assert!(order.stuck().is_empty());
}

#[test]
fn a_deadline_is_missed_by_the_usual_times_and_shows_its_slack() {
    let mut world = World::default();
    let web = object("Deployment", "web");
    world.causes(web.at(Stored), &[], delay(1, 10, 10));
    world.causes(web.at(Ready), &[one(web.at(Stored))], delay(5, 40, 200));
    world.deadline(web.at(Stored), &[web.at(Ready)], Duration::from_mins(1));
    world.deadline(web.at(Stored), &[web.at(Ready)], Duration::from_secs(30));
    let dues = Order::new(&world.question()).deadlines();
    assert_eq!((dues[0].is_missed(), dues[0].slack()), (false, Some(seconds(20))));
    assert_eq!((dues[0].usual, dues[0].high), (Some(seconds(40)), Some(seconds(200))));
    assert_eq!((dues[1].is_missed(), dues[1].slack()), (true, None));
}

#[test]
fn a_provider_that_is_usually_early_is_late_by_its_last_step() {
    let mut world = World::default();
    let (namespace, secret) = (object("Namespace", "shop"), object("Secret", "key"));
    world.causes(namespace.at(Submitted), &[], delay(1, 1, 1));
    world.causes(namespace.at(Stored), &[one(namespace.at(Submitted))], delay(1, 2, 3));
    world.causes(secret.at(Stored), &[], delay(10, 10, 10));
    world.requires(&[namespace.at(Stored)], secret.at(Stored), Reading::Once);
    let order = Order::new(&world.question());
    let race = order.races()[0];
    assert_eq!((race.fails_at, race.arrival), (seconds(10), Some(seconds(12))));
    let course = order.course(race.breach, |_| true).unwrap();
    let times: Vec<Duration> = course.provider.iter().map(|reached| reached.time).collect();
    assert_eq!(times, [seconds(1), seconds(12)]);
}
