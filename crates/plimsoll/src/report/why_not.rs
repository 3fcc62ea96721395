//! The chain of guarantees that protects a pair, or the word that nothing does.

use super::place::spot;
use super::text::Page;
use crate::analysis::{Link, WhyNot};
use anstyle::Style;
use plimsoll_model::Files;

/// Says why the second object cannot come too early, or that it can.
pub(crate) fn write(answer: &WhyNot, files: &Files, pair: [&str; 2], width: usize) -> String {
    let [first, then] = pair;
    let mut page = Page::new(width);
    let mut say = |lead: &str, text: &str| page.hanging(lead, Style::new().bold(), text);
    match answer {
        WhyNot::Held(links) => {
            let end = if links.is_empty() { "" } else { ":" };
            say("held: ", &format!("{then} never comes before what it needs of {first}{end}"));
            for (number, link) in (1..).zip(links) {
                write_link(&mut page, files, number, link);
            }
        }
        WhyNot::Open(finding) => {
            say("not held: ", &finding.message);
            say("  ", &format!("{} · plimsoll explain {}", finding.consequence.word(), finding.rule.0));
        }
        WhyNot::NotNeeded => {
            say("nothing known: ", &format!("no rule says that {then} needs {first}"));
        }
        WhyNot::Unknown(reason) => say("not found: ", reason),
    }
    page.finish()
}

fn write_link(page: &mut Page, files: &Files, number: usize, link: &Link) {
    let plain = Style::new();
    page.hanging(&format!("  {number}. "), plain, &format!("{}, then {}", link.first, link.then));
    page.hanging("     because ", plain, &link.because);
    if let Some(place) = link.place {
        page.hanging("     said at ", plain, &spot(files, place));
    }
    if !link.source.is_empty() {
        page.hanging("     read in ", plain, &link.source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn check(answer: &WhyNot) -> String {
        let pair = ["Secret/shop/web-tls", "Deployment/shop/web"];
        let styled = write(answer, &sample::bundle().files, pair, 100);
        anstream::adapter::strip_str(&styled).to_string()
    }

    #[test]
    fn a_held_pair_names_every_guarantee_of_its_chain() {
        let link = Link {
            first: "Certificate/shop/web ready".to_owned(),
            then: "Deployment/shop/web submitted".to_owned(),
            because: "`kubectl wait` ends the script where the condition is not seen".to_owned(),
            source: "kubectl v1.34, pkg/cmd/wait/wait.go".to_owned(),
            place: Some(sample::place(1, 3, 1)),
        };
        insta::assert_snapshot!(check(&WhyNot::Held(vec![link])), @r"
        held: Deployment/shop/web never comes before what it needs of Secret/shop/web-tls:
          1. Certificate/shop/web ready, then Deployment/shop/web submitted
             because `kubectl wait` ends the script where the condition is not seen
             said at k8s/certificate.yaml:3:1
             read in kubectl v1.34, pkg/cmd/wait/wait.go
        ");
    }

    #[test]
    fn an_open_pair_says_so() {
        insta::assert_snapshot!(check(&WhyNot::Open(Box::new(sample::mount()))), @r"
        not held: Deployment/shop/web mounts Secret web-tls before cert-manager has written it
          late · plimsoll explain PLM-R012
        ");
        insta::assert_snapshot!(check(&WhyNot::NotNeeded), @"nothing known: no rule says that Deployment/shop/web needs Secret/shop/web-tls");
        insta::assert_snapshot!(check(&WhyNot::Unknown("nothing in the input is called Secret/shop/nil".to_owned())), @"not found: nothing in the input is called Secret/shop/nil");
    }
}
