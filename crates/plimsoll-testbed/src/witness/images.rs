//! Which programs stand for the images of the pages.

use super::trust::Trust;
use serde_json::{Value, json};
use std::path::Path;

/// What removes a finalizer eight seconds after it is asked to, with no more rights than its page grants it.
const BUCKET_OPERATOR: &str = r#"
kubectl get buckets.acme.io --all-namespaces --watch --output='jsonpath={@}{"\n"}' | while read -r bucket; do
  case $bucket in *'"deletionTimestamp"'*) ;; *) continue ;; esac
  sleep 8
  printf '%s' "$bucket" | sed 's/"finalizers":\[[^]]*\],//' |
    kubectl replace --raw /apis/acme.io/v1/namespaces/default/buckets/photos --filename -
done"#;

/// What makes a pod for a ring, three seconds after it was asked for, and then calls the ring ready.
const RING_OPERATOR: &str = r#"
kubectl get rings.rings.acme.io --all-namespaces --watch --output='jsonpath={.metadata.name}{"\n"}' | while read -r ring; do
  sleep 3
  kubectl run "$ring" --image=example.com/ring --labels="acme.io/ring=$ring" || continue
  kubectl patch ring "$ring" --subresource=status --type=merge \
    --patch='{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'
done"#;

/// What connects to the database that its variable or its argument names, once, and fails if it cannot.
const MIGRATION: &str = r#"
host=$DB_HOST
case "$*" in *://*) host=${*#*://} host=${host%%:*} ;; esac
[ -z "$host" ] || exec 3<> "/dev/tcp/$host/5432""#;

/// A shell that can do what busybox does with `nc -z`, which not every machine has.
const BUSYBOX: &str = r#"
nc() { (exec 3<> "/dev/tcp/$2/$3") 2> /dev/null; }
export -f nc
exec bash "$@""#;

/// The image table of the witness's clusters, as JSON, which is YAML too. The images that pages name without meaning
/// anything by them sleep.
#[must_use]
pub fn table(own: &Path, trust: &Trust) -> Value {
    let backend = |image: &str| {
        json!({
            "image": image,
            "program": [own, "backend", "8443"],
            "env": {
                super::backend::CERTIFICATE: trust.backend_certificate,
                super::backend::KEY: trust.backend_key,
            },
        })
    };
    let shell = |image: &str, script: &str| json!({"image": image, "program": ["bash", "-c", script], "brings": ["kubectl"]});
    let operators = super::operator::OPERATORS.iter().filter_map(|operator| {
        Some(json!({"image": operator.image?, "program": [operator.path()?, "{args}"]}))
    });
    let finishes = |image: &str| json!({"image": image, "behaviour": "finishes"});
    let mut images = vec![
        backend("guard"),
        backend("inventory"),
        shell("example.com/operator", "kubectl get deployments --watch 2> /dev/termination-log; exit 1"),
        json!({"image": "busybox", "program": ["bash", "-c", BUSYBOX, "busybox", "{args}"]}),
        json!({"image": "example.com/migrate", "program": ["bash", "-c", MIGRATION, "migrate", "{args}"]}),
        shell("example.com/bucket-operator", BUCKET_OPERATOR),
        shell("example.com/ring-operator", RING_OPERATOR),
        finishes("example.com/first"),
        finishes("example.com/report"),
        finishes("report"),
        finishes("registry.example.com/prepare"),
        finishes("registry.example.com/create"),
        finishes("registry.example.com/migrate"),
        finishes("registry.example.com/patch"),
        finishes("registry.example.com/unpack"),
        json!({"image": "postgres", "behaviour": "listens on 5432"}),
    ];
    images.extend(operators);
    json!({"images": images, "otherwise": "sleeps"})
}
