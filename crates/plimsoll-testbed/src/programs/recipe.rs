//! Every program, its version, and how it is built from Go modules.

use super::KUBERNETES;

/// One program.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) recipe: Recipe,
}

/// How a program is built.
#[derive(Debug)]
pub(super) enum Recipe {
    /// A command of Kubernetes itself, with what must be mended in it.
    Kubernetes { mended: &'static [Mend] },
    /// A package of a published module, through an empty module that requires it.
    Package {
        module: &'static str,
        package: &'static str,
        /// The variable that holds the version which the program shows.
        version_in: Option<&'static str>,
    },
    /// A main package of ours beside others' packages. The word tells builds of different files apart.
    Own { files: &'static [(&'static str, &'static str)], edition: &'static str },
    /// A package of a module's own tree, copied so that it can be changed.
    Tree { module: &'static str, package: &'static str, change: Change },
}

/// What is changed in a copied tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// Some files are written anew.
    Files(&'static [(&'static str, &'static str)]),
    /// The module of its interfaces, replaced by a path there, is taken from the proxy under its own tag.
    PublishedInterfaces,
    /// Modules that are replaced by paths there are taken from the proxy in the versions that it requires.
    PublishedParts,
    /// Something is mended.
    Mended(&'static [Mend]),
}

/// A text in a file of a module that is built as another one.
#[derive(Debug)]
pub(super) struct Mend {
    pub(super) path: &'static str,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
}

impl Recipe {
    /// The version as the cache knows it: what was changed by us is not mistaken for what was not.
    pub(super) fn kept_as(&self, version: &str) -> String {
        match self {
            Self::Kubernetes { mended: [_, ..] } | Self::Tree { change: Change::Mended(_), .. } => {
                format!("{version}-mended")
            }
            Self::Own { edition, .. } => format!("{version}-{edition}"),
            _ => version.to_owned(),
        }
    }
}

/// Operators that a witness alone needs, by name: they are built when it does.
pub(super) const OF_WITNESS: &[Row] = &[
    tree("argo-rollouts", "v1.10.1", "github.com/argoproj/argo-rollouts", "./cmd/rollouts-controller"),
    tree("argo-workflows", "v3.7.0", "github.com/argoproj/argo-workflows/v3", "./cmd/workflow-controller"),
    tree("cloudnative-pg", "v1.30.0", "github.com/cloudnative-pg/cloudnative-pg", "./cmd/manager"),
    tree("contour", "v1.33.6", "github.com/projectcontour/contour", "./cmd/contour"),
    tree("crossplane", "v2.3.4", "github.com/crossplane/crossplane/v2", "./cmd/crossplane"),
    tree("gatekeeper", "v3.23.1", "github.com/open-policy-agent/gatekeeper/v3", "."),
    Row {
        name: "istio",
        // The one that the proxy has, of the branch of 1.31.
        version: "v0.0.0-20260827124520-eed52ebb66ad",
        recipe: Recipe::Tree {
            module: "istio.io/istio",
            package: "./pilot/cmd/pilot-discovery",
            change: Change::Mended(OF_PUBLISHED_INTERFACES),
        },
    },
    tree("kubeseal", "v0.40.0", "github.com/bitnami-labs/sealed-secrets", "./cmd/kubeseal"),
    Row {
        name: "kueue",
        version: "v0.14.0",
        recipe: Recipe::Tree {
            module: "sigs.k8s.io/kueue",
            package: "./cmd/kueue",
            // Its certificates lie where its image has them, wherever it runs.
            change: Change::Mended(&[Mend {
                path: "cmd/kueue/main.go",
                from: "\"/etc/kueue/metrics/certs\"",
                to: "os.Getenv(\"CERTIFICATES\")",
            }]),
        },
    },
    tree("olm", "v0.46.0", "github.com/operator-framework/operator-lifecycle-manager", "./cmd/olm"),
    tree(
        "olm-catalog",
        "v0.46.0",
        "github.com/operator-framework/operator-lifecycle-manager",
        "./cmd/catalog",
    ),
    tree(
        "prometheus-operator",
        "v0.85.0",
        "github.com/prometheus-operator/prometheus-operator",
        "./cmd/operator",
    ),
    Row {
        name: "sealed-secrets",
        version: "v0.40.0",
        recipe: Recipe::Tree {
            module: "github.com/bitnami-labs/sealed-secrets",
            package: "./cmd/controller",
            change: Change::Mended(OUTSIDE_ITS_CLUSTER),
        },
    },
    tree(
        "snapshot-controller",
        "v8.3.0",
        "github.com/kubernetes-csi/external-snapshotter/v8",
        "./cmd/snapshot-controller",
    ),
    Row {
        name: "source-controller",
        // The last release whose interfaces are on the proxy.
        version: "v1.9.5",
        recipe: Recipe::Tree {
            module: "github.com/fluxcd/source-controller",
            package: ".",
            change: Change::Mended(OF_NEIGHBOURS),
        },
    },
    Row {
        name: "traefik",
        // The last release whose ACME library is on the proxy.
        version: "v3.6.12",
        recipe: Recipe::Own {
            edition: "providers",
            files: &[
                ("go.mod", include_str!("../../programs/traefik/go.mod")),
                ("main.go", include_str!("../../programs/traefik/main.go")),
            ],
        },
    },
];

/// Istio names commits of its own interfaces and of Envoy's which the proxy does not have: the next ones that it has. The
/// types of every filter of Envoy, a third of all that is built, are for proxies, and none asks here.
const OF_PUBLISHED_INTERFACES: &[Mend] = &[
    Mend { path: "pkg/config/xds/filter_types.gen.go", from: "//go:build !agent", to: "//go:build ignore" },
    Mend {
        path: "go.mod",
        from: "istio.io/api v1.31.0-rc.0.0.20260824154656-b943409680a7",
        to: "istio.io/api v1.31.1",
    },
    Mend {
        path: "go.mod",
        from: "istio.io/client-go v1.31.0-rc.0.0.20260824155257-512e1cfc6c15",
        to: "istio.io/client-go v1.31.1",
    },
    Mend {
        path: "go.mod",
        from: "go-control-plane/envoy v1.37.1-0.20260713214202-ca8ce173c36f",
        to: "go-control-plane/envoy v1.40.0",
    },
    Mend {
        path: "go.mod",
        from: "go-control-plane/contrib v1.36.1-0.20260713214202-ca8ce173c36f",
        to: "go-control-plane/contrib v1.36.1-0.20260729145720-a2d8c7492908",
    },
];

/// Two parts of source-controller are on the proxy only in versions beside those that it asks for.
const OF_NEIGHBOURS: &[Mend] = &[Mend {
    path: "go.mod",
    from: "=> ./api\n",
    to: "=> github.com/fluxcd/source-controller/api v1.9.5\n\n\
         replace github.com/fluxcd/pkg/artifact => github.com/fluxcd/pkg/artifact v0.18.1\n\n\
         replace github.com/fluxcd/pkg/apis/event => github.com/fluxcd/pkg/apis/event v0.27.1\n",
}];

/// The controller of Sealed Secrets only ever looks for the account of its own pod. With these words it looks for one
/// when no configuration is named.
const OUTSIDE_ITS_CLUSTER: &[Mend] = &[
    Mend {
        path: "pkg/controller/main.go",
        from: "rest.InClusterConfig()",
        to: "clientcmd.BuildConfigFromFlags(\"\", os.Getenv(\"KUBECONFIG\"))",
    },
    Mend {
        path: "pkg/controller/main.go",
        from: "\"k8s.io/client-go/rest\"",
        to: "\"k8s.io/client-go/tools/clientcmd\"",
    },
];

/// All other programs, by name.
pub(super) const TABLE: &[Row] = &[
    Row {
        name: "cert-manager",
        version: "v1.21.2",
        // The released commands are nested modules without tags, which the proxy does not have.
        recipe: Recipe::Own {
            edition: "issuers",
            files: &[
                ("go.mod", include_str!("../../programs/cert-manager/go.mod")),
                ("images.go", include_str!("../../programs/cert-manager/images.go")),
                ("main.go", include_str!("../../programs/cert-manager/main.go")),
            ],
        },
    },
    package("etcd", "v3.6.8", "go.etcd.io/etcd/server/v3", "go.etcd.io/etcd/server/v3", None),
    Row {
        name: "external-secrets",
        // The last release that is one module.
        version: "v0.20.4",
        recipe: Recipe::Tree {
            module: "github.com/external-secrets/external-secrets",
            package: ".",
            // Only the providers that tests need, or the libraries of every cloud are built too.
            change: Change::Files(&[
                ("pkg/provider/register/register.go", PROVIDERS),
                ("pkg/generator/register/register.go", GENERATORS),
            ]),
        },
    },
    package(
        "helm3",
        "v3.22.0",
        "helm.sh/helm/v3",
        "helm.sh/helm/v3/cmd/helm",
        Some("helm.sh/helm/v3/internal/version.version"),
    ),
    package(
        "helm4",
        "v4.3.1",
        "helm.sh/helm/v4",
        "helm.sh/helm/v4/cmd/helm",
        Some("helm.sh/helm/v4/internal/version.version"),
    ),
    // The last release whose Helm is on the proxy.
    interfaces("helm-controller", "v1.4.0", "github.com/fluxcd/helm-controller"),
    kubernetes("kube-apiserver"),
    kubernetes("kube-controller-manager"),
    kubernetes("kube-scheduler"),
    package(
        "kubeconform",
        "v0.8.0",
        "github.com/yannh/kubeconform",
        "github.com/yannh/kubeconform/cmd/kubeconform",
        None,
    ),
    kubernetes("kubectl"),
    Row { name: "kubelet", version: KUBERNETES, recipe: Recipe::Kubernetes { mended: &[UNLIMITED] } },
    package(
        "kustomize",
        "v5.8.1",
        "sigs.k8s.io/kustomize/kustomize/v5",
        "sigs.k8s.io/kustomize/kustomize/v5",
        None,
    ),
    interfaces("kustomize-controller", "v1.9.4", "github.com/fluxcd/kustomize-controller"),
    package("kwok", "v0.8.0", "sigs.k8s.io/kwok", "sigs.k8s.io/kwok/cmd/kwok", None),
];

/// Without control groups of pods (`cgroupsPerQOS: false`) kubelet v1.36.4 dereferences nil, and ends, as soon as a
/// container with requests or limits starts after an init container, or a pod is resized in place
/// (`pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `doPodResizeAction`). It is told what a group without limits says.
const UNLIMITED: Mend = Mend {
    path: "pkg/kubelet/cm/pod_container_manager_linux.go",
    from: "func (m *podContainerManagerNoop) GetPodCgroupConfig(_ *v1.Pod, _ v1.ResourceName) (*ResourceConfig, error) {\n\treturn nil, nil\n}",
    to: "func (m *podContainerManagerNoop) GetPodCgroupConfig(_ *v1.Pod, _ v1.ResourceName) (*ResourceConfig, error) {\n\
         \tmemory, quota, shares, period := int64(1<<63-1), int64(-1), uint64(2), uint64(100000)\n\
         \treturn &ResourceConfig{Memory: &memory, CPUQuota: &quota, CPUShares: &shares, CPUPeriod: &period}, nil\n}",
};

const PROVIDERS: &str = "package register

import (
\t_ \"github.com/external-secrets/external-secrets/pkg/provider/fake\"
\t_ \"github.com/external-secrets/external-secrets/pkg/provider/kubernetes\"
\t_ \"github.com/external-secrets/external-secrets/pkg/provider/vault\"
)
";

const GENERATORS: &str = "package register

import (
\t_ \"github.com/external-secrets/external-secrets/pkg/generator/fake\"
\t_ \"github.com/external-secrets/external-secrets/pkg/generator/password\"
)
";

const fn kubernetes(name: &'static str) -> Row {
    Row { name, version: KUBERNETES, recipe: Recipe::Kubernetes { mended: &[] } }
}

const fn package(
    name: &'static str,
    version: &'static str,
    module: &'static str,
    package: &'static str,
    version_in: Option<&'static str>,
) -> Row {
    Row { name, version, recipe: Recipe::Package { module, package, version_in } }
}

const fn tree(name: &'static str, version: &'static str, module: &'static str, package: &'static str) -> Row {
    Row { name, version, recipe: Recipe::Tree { module, package, change: Change::PublishedParts } }
}

const fn interfaces(name: &'static str, version: &'static str, module: &'static str) -> Row {
    Row { name, version, recipe: Recipe::Tree { module, package: ".", change: Change::PublishedInterfaces } }
}
