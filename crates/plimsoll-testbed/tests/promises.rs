//! A few generated deployments, sent by the real kubectl: it keeps what the model promises of it.

use plimsoll_testbed::promise::{Wish, run};

#[test]
fn the_real_kubectl_keeps_what_is_promised_of_it() {
    let outcome = run(Wish { cases: 12, seed: 7 }, &mut |_| {}).unwrap();
    assert!(outcome.contradictions.is_empty(), "{}", outcome.contradictions.join("\n\n"));
    assert_eq!(outcome.tally.cases, 12);
    assert!(outcome.tally.promised > 50, "{:?}", outcome.tally);
}
