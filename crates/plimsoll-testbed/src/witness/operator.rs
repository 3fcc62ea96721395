//! The operators that can stand beside a cluster: the program, where its module keeps its definitions, how it is
//! started, and what of its kinds is listened to.

use super::failure::Failure;
use super::kubectl::Kubectl;
use crate::programs::{Program, module_folder};
use std::io::PipeReader;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// One of them. All run with the configuration of somebody who may do everything, and without their webhooks.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Operator {
    /// As a record has it.
    pub(super) name: &'static str,
    /// How the programs' table calls it.
    program: &'static str,
    /// The end of the names of its definitions: whoever needs one of them needs the operator.
    pub(super) group: &'static str,
    /// Modules, in the version of the program unless they say theirs, and the folders inside that hold definitions.
    definitions: &'static [(&'static str, &'static str)],
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// A file of its settings.
    settings: Option<&'static str>,
    /// Paths of the API whose objects carry what it says.
    pub(super) listened: &'static [&'static str],
    /// Whether what it says stands in its log alone, an object of JSON a line.
    is_heard: bool,
    /// The image by which pages run it in a pod of their own.
    pub(super) image: Option<&'static str>,
    /// What pages name who ask for it without any definition of its own: a group of others, the controller of a class.
    pub(super) serves: Option<&'static str>,
    /// Other programs of its users, as the programs' table calls them.
    tools: &'static [&'static str],
}

/// One that needs nothing in particular.
const PLAIN: Operator = Operator {
    name: "",
    program: "",
    group: "",
    definitions: &[],
    arguments: &[],
    environment: &[],
    settings: None,
    listened: &[],
    is_heard: false,
    image: None,
    serves: None,
    tools: &[],
};

impl Operator {
    /// What stands in words for the file of the configuration.
    const KUBECONFIG: &'static str = "KUBECONFIG";
    /// What stands in them for a folder with a certificate to serve with.
    const CERTIFICATES: &'static str = "CERTIFICATES";
    /// What stands in them for the file of its settings.
    const SETTINGS: &'static str = "SETTINGS";
    /// What stands in them for a port that nobody has.
    const PORT: &'static str = "PORT";

    /// Name and version, as a record has them.
    pub(super) fn told(&self) -> String {
        let program = Program::named(self.program);
        format!("{} {}", self.name, program.as_ref().map_or("unknown", Program::version))
    }

    /// Where the program lies once it is built.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let program = Program::named(self.program).ok()?;
        program.find().or_else(|| program.cached())
    }

    /// Builds its programs where they are not there yet.
    pub(super) fn obtain(&self, tell: &mut dyn FnMut(&str)) -> Result<(), Failure> {
        for program in self.tools.iter().chain([&self.program]) {
            Program::named(program)?.obtain(tell)?;
        }
        Ok(())
    }

    /// Sends its definitions.
    pub(super) fn define(&self, kubectl: &Kubectl) -> Result<(), Failure> {
        let version = Program::named(self.program)?.version().to_owned();
        for (module, inside) in self.definitions {
            let module =
                if module.contains('@') { (*module).to_owned() } else { format!("{module}@{version}") };
            let path = module_folder(&module)?.join(inside);
            kubectl.apply(&path)?;
        }
        Ok(())
    }

    /// Runs it beside the cluster; gives its log too, if that is heard.
    pub(super) fn run(
        &self,
        kubectl: &Kubectl,
        certificates: &Path,
    ) -> Result<(Child, Option<PipeReader>), Failure> {
        let program = Program::named(self.program)?.obtain(&mut |_| {})?;
        let mut command = kubectl.command(&program);
        let kubeconfig = kubectl.kubeconfig.display().to_string();
        let settings = certificates.join(format!("{}.yaml", self.program));
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let port = port.map_err(Failure::program(self.program))?.port();
        let words = [
            (Self::KUBECONFIG, kubeconfig),
            (Self::CERTIFICATES, certificates.display().to_string()),
            (Self::SETTINGS, settings.display().to_string()),
            (Self::PORT, port.to_string()),
        ];
        let filled =
            |word: &str| words.iter().fold(word.to_owned(), |word, (name, value)| word.replace(name, value));
        if let Some(text) = self.settings {
            std::fs::write(&settings, filled(text)).map_err(Failure::file(&settings))?;
        }
        command.args(self.arguments.iter().map(|word| filled(word)));
        command.envs(self.environment.iter().map(|(name, word)| (name, filled(word))));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut log = None;
        if self.is_heard {
            let (reader, writer) = std::io::pipe().map_err(Failure::program(self.program))?;
            let second = writer.try_clone().map_err(Failure::program(self.program))?;
            command.stdout(writer).stderr(second);
            log = Some(reader);
        }
        Ok((command.spawn().map_err(Failure::program(self.program))?, log))
    }
}

/// Signs what the pages ask for; it is there in every play.
pub(super) const CERT_MANAGER: Operator = Operator {
    name: "cert-manager",
    program: "cert-manager",
    group: "cert-manager.io",
    definitions: &[
        ("github.com/cert-manager/cert-manager", "deploy/crds"),
        ("sigs.k8s.io/gateway-api@v1.6.0", "config/crd/standard"),
    ],
    arguments: &["--only=controller,cainjector", "--enable-gateway-api", "--kubeconfig=KUBECONFIG"],
    listened: &[
        "/apis/cert-manager.io/v1/certificates",
        "/apis/cert-manager.io/v1/certificaterequests",
        "/apis/cert-manager.io/v1/issuers",
        "/apis/cert-manager.io/v1/clusterissuers",
    ],
    ..PLAIN
};

/// All of them. Several of each run on one machine, and nobody asks for their figures: they open no ports, or such as
/// nobody else has where their plays all share one cluster.
pub(super) static OPERATORS: [Operator; 19] = [
    CERT_MANAGER,
    Operator {
        name: "Argo Rollouts",
        program: "argo-rollouts",
        group: "rollouts.argoproj.io",
        definitions: &[("github.com/argoproj/argo-rollouts", "manifests/crds")],
        arguments: &["--leader-elect=false", "--metricsPort=28090", "--healthzPort=28080"],
        listened: &["/apis/argoproj.io/v1alpha1/rollouts"],
        ..PLAIN
    },
    Operator {
        name: "Argo Workflows",
        program: "argo-workflows",
        group: "workflows.argoproj.io",
        definitions: &[
            ("github.com/argoproj/argo-workflows/v3", "manifests/base/crds/minimal"),
            (
                "github.com/argoproj/argo-workflows/v3",
                "manifests/base/workflow-controller/workflow-controller-configmap.yaml",
            ),
        ],
        arguments: &["--executor-image=argoexec", "--namespace=default"],
        environment: &[("LEADER_ELECTION_DISABLE", "true")],
        listened: &["/apis/argoproj.io/v1alpha1/cronworkflows", "/apis/argoproj.io/v1alpha1/workflows"],
        ..PLAIN
    },
    Operator {
        name: "CloudNativePG",
        program: "cloudnative-pg",
        group: "postgresql.cnpg.io",
        definitions: &[("github.com/cloudnative-pg/cloudnative-pg", "config/crd/bases")],
        arguments: &["controller", "--metrics-bind-address=0", "--webhook-port=29443"],
        environment: &[("OPERATOR_NAMESPACE", "kube-system"), ("WEBHOOK_CERT_DIR", "CERTIFICATES")],
        listened: &[
            "/apis/postgresql.cnpg.io/v1/backups",
            "/apis/postgresql.cnpg.io/v1/clusters",
            "/apis/postgresql.cnpg.io/v1/poolers",
        ],
        ..PLAIN
    },
    Operator {
        name: "Contour",
        program: "contour",
        group: "projectcontour.io",
        definitions: &[("github.com/projectcontour/contour", "examples/contour/01-crds.yaml")],
        arguments: &[
            "serve",
            "--kubeconfig=KUBECONFIG",
            "--insecure",
            "--disable-leader-election",
            "--xds-address=127.0.0.1",
            "--xds-port=28001",
            "--http-address=127.0.0.1",
            "--http-port=28002",
            "--health-address=127.0.0.1",
            "--health-port=28003",
            "--debug-http-port=28004",
        ],
        environment: &[("CONTOUR_NAMESPACE", "kube-system")],
        listened: &["/apis/projectcontour.io/v1/httpproxies"],
        ..PLAIN
    },
    Operator {
        name: "Crossplane",
        program: "crossplane",
        group: "crossplane.io",
        definitions: &[("github.com/crossplane/crossplane/v2", "cluster/crds")],
        arguments: &[
            "core",
            "start",
            "--enable-webhooks=false",
            "--metrics-port=0",
            "--health-probe-port=0",
            "--cache-dir=CERTIFICATES",
        ],
        environment: &[("POD_NAMESPACE", "kube-system"), ("TLS_CLIENT_CERTS_DIR", "CERTIFICATES")],
        listened: &["/apis/apiextensions.crossplane.io/v1/compositeresourcedefinitions"],
        ..PLAIN
    },
    Operator {
        name: "external-secrets",
        program: "external-secrets",
        group: "external-secrets.io",
        definitions: &[("github.com/external-secrets/external-secrets", "config/crds/bases")],
        arguments: &["--metrics-addr=0", "--live-addr=0"],
        listened: &[
            "/apis/external-secrets.io/v1/externalsecrets",
            "/apis/external-secrets.io/v1/secretstores",
            "/apis/external-secrets.io/v1alpha1/pushsecrets",
            "/apis/external-secrets.io/v1/clustersecretstores",
        ],
        ..PLAIN
    },
    Operator {
        name: "Gatekeeper",
        program: "gatekeeper",
        group: "gatekeeper.sh",
        definitions: &[("github.com/open-policy-agent/gatekeeper/v3", "charts/gatekeeper/crds")],
        arguments: &[
            "--operation=audit,generate,status",
            "--disable-cert-rotation",
            "--debug-use-fake-pod",
            "--health-addr=0",
            "--prometheus-port=0",
            "--enable-external-data=false",
        ],
        environment: &[("POD_NAMESPACE", "kube-system"), ("POD_NAME", "gatekeeper")],
        listened: &["/apis/templates.gatekeeper.sh/v1/constrainttemplates"],
        ..PLAIN
    },
    Operator {
        name: "helm-controller",
        program: "helm-controller",
        group: "helm.toolkit.fluxcd.io",
        definitions: &[("github.com/fluxcd/helm-controller", "config/crd/bases"), FLUX_SOURCES],
        arguments: &["--metrics-addr=0", "--health-addr=0"],
        listened: &["/apis/helm.toolkit.fluxcd.io/v2/helmreleases"],
        ..PLAIN
    },
    Operator {
        name: "Istio",
        program: "istio",
        group: "networking.istio.io",
        definitions: &[("istio.io/istio", "manifests/charts/base/files/crd-all.gen.yaml")],
        arguments: &[
            "discovery",
            "--kubeconfig=KUBECONFIG",
            "--httpAddr=127.0.0.1:0",
            "--httpsAddr=",
            "--grpcAddr=",
            "--secureGRPCAddr=",
            "--monitoringAddr=127.0.0.1:0",
            "--ctrlz_port=0",
        ],
        environment: &[
            ("POD_NAMESPACE", "kube-system"),
            ("ENABLE_CA_SERVER", "false"),
            ("PILOT_ENABLE_ANALYSIS", "true"),
            ("PILOT_ANALYSIS_INTERVAL", "1s"),
            ("PILOT_GATEWAY_API_CONTROLLER_NAME", "example.com/gateway"),
            // Proxies would be pods, and none is to be had.
            ("PILOT_ENABLE_GATEWAY_API_DEPLOYMENT_CONTROLLER", "false"),
        ],
        serves: Some("gateway.networking.k8s.io"),
        ..PLAIN
    },
    Operator {
        name: "Kueue",
        program: "kueue",
        group: "kueue.x-k8s.io",
        definitions: &[("sigs.k8s.io/kueue", "config/components/crd/bases")],
        arguments: &["--config=SETTINGS", "--feature-gates=VisibilityOnDemand=false"],
        environment: &[("CERTIFICATES", "CERTIFICATES")],
        settings: Some(
            "apiVersion: config.kueue.x-k8s.io/v1beta1
kind: Configuration
namespace: kube-system
health: {healthProbeBindAddress: '0'}
metrics: {bindAddress: '0'}
webhook: {port: PORT, certDir: CERTIFICATES}
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
integrations: {frameworks: [batch/job]}
",
        ),
        listened: &["/apis/kueue.x-k8s.io/v1beta1/clusterqueues", "/apis/kueue.x-k8s.io/v1beta1/localqueues"],
        ..PLAIN
    },
    Operator {
        name: "kustomize-controller",
        program: "kustomize-controller",
        group: "kustomize.toolkit.fluxcd.io",
        definitions: &[("github.com/fluxcd/kustomize-controller", "config/crd/bases"), FLUX_SOURCES],
        arguments: &["--metrics-addr=0", "--health-addr=0"],
        listened: &["/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations"],
        ..PLAIN
    },
    Operator {
        name: "Operator Lifecycle Manager",
        program: "olm",
        group: "operators.coreos.com",
        definitions: &[("github.com/operator-framework/operator-lifecycle-manager", "deploy/chart/crds")],
        listened: &["/apis/operators.coreos.com/v1alpha1/clusterserviceversions"],
        ..PLAIN
    },
    Operator {
        name: "its catalog operator",
        program: "olm-catalog",
        group: "operators.coreos.com",
        listened: &["/apis/operators.coreos.com/v1alpha1/subscriptions"],
        ..PLAIN
    },
    Operator {
        name: "prometheus-operator",
        program: "prometheus-operator",
        group: "monitoring.coreos.com",
        definitions: &[(
            "github.com/prometheus-operator/prometheus-operator",
            "example/prometheus-operator-crd",
        )],
        arguments: &["--kubelet-endpoints=false", "--web.listen-address=127.0.0.1:0"],
        listened: &[
            "/apis/monitoring.coreos.com/v1/alertmanagers",
            "/apis/monitoring.coreos.com/v1/prometheuses",
            "/apis/monitoring.coreos.com/v1/thanosrulers",
        ],
        ..PLAIN
    },
    Operator {
        name: "Sealed Secrets",
        program: "sealed-secrets",
        group: "sealedsecrets.bitnami.com",
        definitions: &[("github.com/bitnami-labs/sealed-secrets", "helm/sealed-secrets/crds")],
        environment: &[("POD_NAMESPACE", "kube-system")],
        listened: &["/apis/bitnami.com/v1alpha1/sealedsecrets"],
        image: Some("docker.io/bitnami/sealed-secrets-controller"),
        tools: &["kubeseal"],
        ..PLAIN
    },
    Operator {
        name: "snapshot-controller",
        program: "snapshot-controller",
        group: "snapshot.storage.k8s.io",
        definitions: &[("github.com/kubernetes-csi/external-snapshotter/client/v8@v8.2.0", "config/crd")],
        arguments: &["--kubeconfig=KUBECONFIG"],
        listened: &["/apis/snapshot.storage.k8s.io/v1/volumesnapshots"],
        ..PLAIN
    },
    Operator {
        name: "source-controller",
        program: "source-controller",
        group: "source.toolkit.fluxcd.io",
        definitions: &[FLUX_SOURCES],
        arguments: &[
            "--metrics-addr=0",
            "--health-addr=0",
            "--storage-path=CERTIFICATES",
            "--storage-addr=127.0.0.1:0",
        ],
        listened: &[
            "/apis/source.toolkit.fluxcd.io/v1/buckets",
            "/apis/source.toolkit.fluxcd.io/v1/gitrepositories",
            "/apis/source.toolkit.fluxcd.io/v1/helmcharts",
            "/apis/source.toolkit.fluxcd.io/v1/helmrepositories",
            "/apis/source.toolkit.fluxcd.io/v1/ocirepositories",
        ],
        ..PLAIN
    },
    Operator {
        name: "Traefik",
        program: "traefik",
        group: "traefik.io",
        definitions: &[(
            "github.com/traefik/traefik/v3",
            "docs/content/reference/dynamic-configuration/kubernetes-crd-definition-v1.yml",
        )],
        is_heard: true,
        serves: Some("traefik.io/ingress-controller"),
        ..PLAIN
    },
];

const FLUX_SOURCES: (&str, &str) = ("github.com/fluxcd/source-controller@v1.9.6", "config/crd/bases");
