//! What programs make at run time: one data table, `data/producers.toml`, knows them by image and arguments; `kubectl`
//! is known by what it is told to create.

mod command;
mod kubectl;

pub(crate) use command::program;

use crate::products::Product;
use crate::read::pods::Pods;
use command::{Command, last_part};
use serde::Deserialize;
use std::sync::LazyLock;

/// The rows of `data/producers.toml`.
static PRODUCERS: LazyLock<Vec<Producer>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("../data/producers.toml")).unwrap_or_default();
    table.producer
});

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    producer: Vec<Producer>,
}

/// A program that makes an object.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Producer {
    #[cfg_attr(not(test), expect(dead_code, reason = "what people call the row"))]
    id: String,
    image: String,
    #[serde(default)]
    verb: String,
    makes: String,
    name: String,
    #[serde(default)]
    namespace: String,
    #[serde(default)]
    keys: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "a row without a source does not parse"))]
    source: String,
}

/// What the containers of pods make.
pub(crate) fn products(pods: &Pods<'_>) -> Vec<Product> {
    let made = |container| {
        let commands = Command::all(pods, container);
        let of_rows =
            PRODUCERS.iter().flat_map(|row| commands.iter().filter_map(|command| row.product(command)));
        of_rows.chain(kubectl::products(&commands)).collect::<Vec<_>>()
    };
    pods.all_containers().flat_map(made).collect()
}

impl Producer {
    fn product(&self, command: &Command<'_>) -> Option<Product> {
        let image = command.image()?;
        if !self.image.split('|').any(|known| known == image) {
            return None;
        }
        if !self.verb.is_empty() && !command.words.iter().any(|word| last_part(word) == self.verb) {
            return None;
        }
        let name = command.filled(&self.name).filter(|name| !name.is_empty())?;
        let namespace = command.filled(&self.namespace)?;
        let namespace = if namespace.is_empty() { command.pods.namespace() } else { &namespace };
        let keys: Vec<String> = self.keys.iter().map(|key| command.filled(key)).collect::<Option<_>>()?;
        Some(Product::new(&self.makes, namespace, &name, (!keys.is_empty()).then_some(keys)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use serde_json::json;

    fn made(image: &str, args: &[&str]) -> Vec<String> {
        let variables = json!([
            {"name": "HERE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}},
            {"name": "ENVOY_GATEWAY_NAMESPACE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}},
            {"name": "METALLB_ML_SECRET_NAME", "value": "memberlist"},
            {"name": "STATEFULSET_NAME", "value": "db"},
            {"name": "VCLUSTER_NAME", "value": "dev"},
        ]);
        let container = json!({"name": "make", "image": image, "args": args, "env": variables});
        let job = sample::object(&json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "make", "namespace": "shop"},
            "spec": {"template": {"spec": {"containers": [container]}}},
        }));
        let pods = Pods::of(&job).expect("a Job makes pods");
        products(&pods).iter().map(Product::told).collect()
    }

    #[test]
    fn the_certificate_of_a_webhook_is_made_where_the_arguments_say() {
        let image = "registry.k8s.io:443/ingress-nginx/kube-webhook-certgen:v1.6.9@sha256:0ab1";
        assert_eq!(
            made(image, &["create", "--host=a", "--namespace=$(HERE)", "--secret-name=a-tls"]),
            ["Secret/shop/a-tls ca,cert,key"]
        );
        assert_eq!(
            made(image, &["create", "--cert-name", "tls.crt", "--secret-name", "a", "--namespace", "b"]),
            ["Secret/b/a ca,tls.crt,key"]
        );
    }

    /// One line a row: the image, the arguments, and what comes of it.
    const EXAMPLES: [(&str, &[&str], &[&str]); 10] = [
        (
            "quay.io/jetstack/cert-manager-webhook:v1.21.2",
            &["--dynamic-serving-ca-secret-name=w-ca", "--dynamic-serving-ca-secret-namespace=$(HERE)"],
            &["Secret/shop/w-ca ca.crt,tls.crt,tls.key"],
        ),
        (
            "quay.io/argoproj/argocd:v3.5.6",
            &["/usr/local/bin/argocd-server"],
            &["Secret/shop/argocd-initial-admin-secret password"],
        ),
        (
            "ghcr.io/kedacore/keda:2.21.0",
            &["--enable-cert-rotation=true", "--cert-secret-name=certs"],
            &["Secret/shop/certs"],
        ),
        ("quay.io/metallb/controller:v0.16.1", &["--port=7472"], &["Secret/shop/memberlist secretkey"]),
        (
            "ghcr.io/projectcontour/contour:v1.33.6",
            &["certgen", "--kube", "--namespace=$(HERE)", "--secrets-name-suffix=-v1"],
            &["Secret/shop/contourcert-v1", "Secret/shop/envoycert-v1"],
        ),
        (
            "envoyproxy/gateway:v1.9.1",
            &["envoy-gateway", "certgen"],
            &[
                "Secret/shop/envoy-gateway",
                "Secret/shop/envoy",
                "Secret/shop/envoy-rate-limit",
                "Secret/shop/envoy-oidc-hmac",
            ],
        ),
        (
            "hashicorp/consul-k8s-control-plane:2.0.3",
            &[
                "/bin/sh",
                "-ec",
                "consul-k8s-control-plane tls-init \\\n  -name-prefix=c \\\n  -k8s-namespace=${HERE}",
            ],
            &["Secret/shop/c-ca-cert", "Secret/shop/c-ca-key", "Secret/shop/c-server-cert"],
        ),
        (
            "hashicorp/consul-k8s-control-plane:2.0.3",
            &["/bin/sh", "-ec", "exec consul-k8s-control-plane server-acl-init -resource-prefix=c"],
            &["Secret/shop/c-bootstrap-acl-token"],
        ),
        (
            "cockroachlabs/cockroach-self-signer-cert:1.9",
            &["generate", "--ca-duration=43800h"],
            &["Secret/shop/db-ca-secret", "Secret/shop/db-node-secret", "Secret/shop/db-client-secret"],
        ),
        (
            "volcanosh/vc-webhook-manager:v1.16.0",
            &["./gen-admission-secret.sh", "--service", "w", "--namespace", "b", "--secret", "w-secret"],
            &["Secret/b/w-secret"],
        ),
    ];

    #[test]
    fn programs_make_what_their_arguments_and_variables_say() {
        for (image, args, expected) in EXAMPLES {
            assert_eq!(made(image, args), expected, "{image} {args:?}");
        }
        let access = "Secret/shop/vc-dev config,certificate-authority,client-certificate,client-key";
        assert_eq!(made("ghcr.io/loft-sh/vcluster-pro:0.30", &[]), [access]);
    }

    #[test]
    fn nothing_is_made_of_what_is_not_understood() {
        let image = "jettech/kube-webhook-certgen";
        assert!(made(image, &["patch", "--secret-name=a", "--namespace=b"]).is_empty());
        assert!(made(image, &["create", "--secret-name=$(UNKNOWN)", "--namespace=b"]).is_empty());
        assert!(made("example.com/my-kube-webhook-certgen", &["create", "--secret-name=a"]).is_empty());
        assert!(made("ghcr.io/kedacore/keda", &["--enable-cert-rotation=false"]).is_empty());
    }

    #[test]
    fn every_row_says_where_it_was_read() {
        let table: Table = toml::from_str(include_str!("../data/producers.toml")).expect("producers.toml");
        for row in table.producer {
            assert!(row.source.len() > 20, "{} has no source", row.id);
            assert!(matches!(row.makes.as_str(), "Secret" | "ConfigMap"), "{} makes what?", row.id);
            let is_tried = |image: &str| EXAMPLES.iter().any(|(tried, ..)| program(tried) == image);
            let others = ["kube-webhook-certgen", "vcluster", "vcluster-pro", "vcluster-oss"];
            assert!(
                row.image.split('|').all(|image| is_tried(image) || others.contains(&image)),
                "{}",
                row.id
            );
        }
    }
}
