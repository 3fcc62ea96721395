//! What `kubectl create` makes in a container: Secrets, ConfigMaps and ServiceAccounts under a name that is written out.
//!
//! With `--dry-run` nothing is made, unless the same container applies behind it what it reads from its standard input.

use super::command::{Command, is_plain, last_part};
use crate::products::Product;
use plimsoll_schema::{Argument, kubectl_arguments};

/// What the commands of a container create.
pub(super) fn products(commands: &[Command<'_>]) -> Vec<Product> {
    let calls: Vec<(&Command<'_>, Call<'_>)> =
        commands.iter().filter_map(|command| Some((command, Call::of(&command.words)?))).collect();
    let made = |(at, (command, call)): (usize, &(&Command<'_>, Call<'_>))| {
        let mut behind = calls.iter().skip(at + 1).map(|(_, call)| call);
        let sender = if call.is_dry { behind.find(|call| call.applies_input())? } else { call };
        call.product(call.namespace_sent_by(sender, command.pods.namespace())?)
    };
    calls.iter().enumerate().filter_map(made).collect()
}

/// A call of kubectl.
#[derive(Default)]
struct Call<'a> {
    /// Verb, resource and names.
    words: Vec<&'a str>,
    namespace: Option<&'a str>,
    file: Option<&'a str>,
    is_dry: bool,
}

impl<'a> Call<'a> {
    fn of(words: &'a [String]) -> Option<Self> {
        let (_, arguments) =
            words.split_first().filter(|(program, _)| matches!(last_part(program), "kubectl" | "oc"))?;
        let mut call = Self::default();
        for argument in kubectl_arguments(arguments) {
            match argument {
                Argument::Word(word) => call.words.push(word),
                Argument::Flag("namespace", value) => call.namespace = value.map(|(_, text)| text),
                Argument::Flag("filename", value) => call.file = value.map(|(_, text)| text),
                Argument::Flag("dry-run", value) => {
                    call.is_dry = value.is_none_or(|(_, text)| text != "none");
                }
                Argument::Flag(..) => {}
            }
        }
        Some(call)
    }

    fn applies_input(&self) -> bool {
        matches!(self.words.first(), Some(&("apply" | "replace" | "create")))
            && self.file == Some("-")
            && !self.is_dry
    }

    /// The namespace of what this call prints and another one sends, or itself; nothing where that is refused.
    ///
    /// Only a namespace that is said becomes part of what is printed (kubectl v0.36.4 `pkg/cmd/create/create_secret.go`
    /// `EnforceNamespace`), and another one is refused (cli-runtime v0.36.4 `pkg/resource/visitor.go` `RequireNamespace`).
    fn namespace_sent_by(&self, sender: &Self, usual: &'a str) -> Option<&'a str> {
        match (self.namespace, sender.namespace) {
            (Some(printed), Some(wanted)) => (printed == wanted).then_some(printed),
            (printed, wanted) => Some(printed.or(wanted).unwrap_or(usual)),
        }
    }

    fn product(&self, namespace: &str) -> Option<Product> {
        let (kind, name) = match self.words.as_slice() {
            ["create", "secret" | "secrets", "generic" | "tls" | "docker-registry", name, ..] => {
                ("Secret", *name)
            }
            ["create", "configmap" | "configmaps" | "cm", name, ..] => ("ConfigMap", *name),
            ["create", "serviceaccount" | "sa", name, ..] => ("ServiceAccount", *name),
            _ => return None,
        };
        (is_plain(name) && is_plain(namespace)).then(|| Product::new(kind, namespace, name, None))
    }
}

#[cfg(test)]
mod tests {
    use crate::products::Product;
    use crate::read::pods::Pods;
    use crate::sample;
    use serde_json::json;

    fn made(command: &[&str]) -> Vec<String> {
        let variables = json!([{"name": "TOKEN", "value": "shop-token"}]);
        let container = json!({"name": "make", "image": "kubectl", "command": command, "env": variables});
        let job = sample::object(&json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "make", "namespace": "shop"},
            "spec": {"template": {"spec": {"containers": [container]}}},
        }));
        let pods = Pods::of(&job).expect("a Job makes pods");
        super::super::products(&pods).iter().map(Product::told).collect()
    }

    #[test]
    fn what_is_created_has_the_name_behind_its_kind() {
        let direct =
            ["kubectl", "create", "secret", "generic", "--from-literal=a=b", "$(TOKEN)", "-n", "there"];
        assert_eq!(made(&direct), ["Secret/there/shop-token"]);
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(made(&["/bin/sh", "-ec", text]), expected, "{text}");
        };
        check("set -x\nkubectl create configmap a \\\n  --from-file=x", &["ConfigMap/shop/a"]);
        check("kubectl get secret a || kubectl -n b create secret tls a --cert=c --key=k", &["Secret/b/a"]);
        check("if true; then kubectl create sa ${TOKEN}; fi", &["ServiceAccount/shop/shop-token"]);
        check(
            "kubectl create secret generic a --from-literal=p=\"$(openssl rand -hex 8)\" --namespace=b",
            &["Secret/b/a"],
        );
        check(
            "kubectl create secret generic a --dry-run=client -o yaml | kubectl apply -f -",
            &["Secret/shop/a"],
        );
        check("kubectl create secret generic --from-literal a=b db", &["Secret/shop/db"]);
        check("kubectl create secret generic -o name a -n=b", &["Secret/b/a"]);
        check("kubectl create configmap -nb a", &["ConfigMap/b/a"]);
    }

    #[test]
    fn a_dry_run_is_made_where_it_is_applied() {
        let check = |create: &str, apply: &str, expected: &[&str]| {
            let text =
                format!("kubectl create secret generic a {create} --dry-run=client -oyaml | kubectl {apply}");
            assert_eq!(made(&["sh", "-c", &text]), expected, "{text}");
        };
        check("", "apply -n b -f -", &["Secret/b/a"]);
        check("", "-n=b replace --filename -", &["Secret/b/a"]);
        check("-n b", "apply -f-", &["Secret/b/a"]);
        check("-n b", "apply -n b -f -", &["Secret/b/a"]);
        check("-n b", "apply -n c -f -", &[]);
        check("", "apply --dry-run=server -f -", &[]);
        check("", "apply -f other.yaml", &[]);
    }

    #[test]
    fn nothing_is_made_of_what_is_not_written_out() {
        let check = |text: &str| assert!(made(&["bash", "-c", text]).is_empty(), "{text}");
        check("kubectl create secret generic \"$NAME\"");
        check("kubectl create secret generic a -n $(cat /namespace)");
        check("kubectl create secret generic a --dry-run=client -o yaml");
        check("echo kubectl create secret generic a");
        check("kubectl get secret generic a");
    }
}
