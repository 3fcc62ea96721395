// Command cert-manager is the real cert-manager with its parts behind one name, so that one build serves all images of
// its chart: the certificate controllers, the admission webhook, the injector of CA bundles, the check at start-up.
//
//	cert-manager controller|webhook|cainjector|startupapicheck WORD…    as the image of that name is called
//	cert-manager -kubeconfig FILE [-only controller,webhook,cainjector]  several parts in one process
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	admission "k8s.io/api/admissionregistration/v1"
	definitions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kubernetes "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	aggregation "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	control "sigs.k8s.io/controller-runtime"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/cert-manager/cert-manager/internal/apis/config/shared"
	settings "github.com/cert-manager/cert-manager/internal/apis/config/webhook"
	"github.com/cert-manager/cert-manager/internal/webhook"
	certmanager "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	"github.com/cert-manager/cert-manager/pkg/controller"
	"github.com/cert-manager/cert-manager/pkg/controller/cainjector"
	"github.com/cert-manager/cert-manager/pkg/util"

	// Each of these registers itself. Issuers that sign elsewhere say what they miss here; the controllers of their
	// orders and requests need the outside world and are left out.
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificate-shim/gateways"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificate-shim/ingresses"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/acme"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/vault"
)

// What the webhook's Service is called.
const service = "cert-manager-webhook"

// What the command line says.
type call struct {
	kubeconfig, namespace, liveness, only string
	port, health                          int
	// Whether Gateways get certificates; their kinds must be there.
	gateways bool
	// The Secret of the webhook's CA, and the names in its certificate.
	authority string
	names     []string
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "cert-manager:", err)
		os.Exit(1)
	}
}

func run() error {
	control.SetLogger(klog.Background())
	until, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		return runImage(until, os.Args[1], os.Args[2:])
	}
	c := call{authority: service + "-ca"}
	// Not the global set: controller-runtime has a -kubeconfig there.
	words := flag.NewFlagSet("cert-manager", flag.ContinueOnError)
	words.StringVar(&c.kubeconfig, "kubeconfig", "", "how to reach the API server; empty inside a pod")
	words.StringVar(&c.namespace, "namespace", "cert-manager", "where cluster-wide issuers and the webhook keep their Secrets")
	words.StringVar(&c.only, "only", "controller,webhook,cainjector", "the parts to run")
	words.BoolVar(&c.gateways, "enable-gateway-api", false, "make certificates for Gateways")
	words.StringVar(&c.liveness, "controller-healthz", "", "address on which the controllers' liveness is answered")
	words.IntVar(&c.port, "webhook-port", 10250, "port of the webhook")
	words.IntVar(&c.health, "webhook-healthz-port", 0, "port on which the webhook's health is answered; 0 is any")
	if err := words.Parse(os.Args[1:]); err != nil {
		return err
	}
	c.names = []string{service, service + "." + c.namespace, service + "." + c.namespace + ".svc"}
	return c.parts(until, strings.Split(c.only, ","))
}

// Runs some parts until one of them fails or the process is told to end.
func (c *call) parts(until context.Context, names []string) error {
	parts, ctx := errgroup.WithContext(until)
	for _, part := range names {
		switch part {
		case "controller":
			parts.Go(func() error { return c.controllers(ctx) })
		case "webhook":
			parts.Go(func() error { return c.webhook(ctx) })
		case "cainjector":
			parts.Go(func() error { return c.injector(ctx) })
		default:
			return fmt.Errorf("no part is called %q", part)
		}
	}
	if err := parts.Wait(); err != nil && until.Err() == nil {
		return err
	}
	return nil
}

// The controllers that turn Certificates into Secrets.
func (c *call) controllers(ctx context.Context) error {
	contexts, err := controller.NewContextFactory(ctx, controller.ContextOptions{
		Kubeconfig:         c.kubeconfig,
		KubernetesAPIQPS:   200,
		KubernetesAPIBurst: 400,
		IssuerOptions:      controller.IssuerOptions{ClusterResourceNamespace: c.namespace},
		// The released program's default: an hour before a failed issuance is tried again.
		CertificateOptions: controller.CertificateOptions{CertificateRequestMinimumBackoffDuration: time.Hour},
		ConfigOptions:      controller.ConfigOptions{EnableGatewayAPI: c.gateways},
		IngressShimOptions: controller.IngressShimOptions{DefaultIssuerKind: "Issuer", DefaultIssuerGroup: "cert-manager.io"},
	})
	if err != nil {
		return err
	}
	common, err := contexts.Build()
	if err != nil {
		return err
	}
	all, ctx := errgroup.WithContext(ctx)
	if c.liveness != "" {
		all.Go(func() error { return serveLiveness(ctx, c.liveness) })
	}
	for name, make := range controller.Known() {
		if name == "gateway-shim" && !c.gateways {
			continue
		}
		one, err := make(contexts)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all.Go(func() error { return one.Run(5, ctx) })
	}
	common.SharedInformerFactory.Start(ctx.Done())
	common.KubeSharedInformerFactory.Start(ctx.Done())
	if c.gateways {
		common.GWShared.Start(ctx.Done())
	}
	common.HTTP01ResourceMetadataInformersFactory.Start(ctx.Done())
	return all.Wait()
}

func serveLiveness(ctx context.Context, address string) error {
	server := &http.Server{Addr: address, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	go func() { <-ctx.Done(); server.Close() }()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// The admission webhook; it makes its own serving certificate and keeps the CA in a Secret.
func (c *call) webhook(ctx context.Context) error {
	server, err := webhook.NewCertManagerWebhookServer(klog.FromContext(ctx), settings.WebhookConfiguration{
		KubeConfig:           c.kubeconfig,
		SecurePort:           int32(c.port),
		HealthzPort:          int32(c.health),
		MetricsListenAddress: "0",
		TLSConfig: shared.TLSConfig{Dynamic: shared.DynamicServingConfig{
			SecretNamespace: c.namespace,
			SecretName:      c.authority,
			LeafDuration:    7 * 24 * time.Hour,
			DNSNames:        c.names,
		}},
	})
	if err != nil {
		return err
	}
	return server.Run(ctx)
}

// The injector that writes CA bundles into webhook configurations, definitions and API services.
func (c *call) injector(ctx context.Context) error {
	config, err := clientcmd.BuildConfigFromFlags("", c.kubeconfig)
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	known := runtime.NewSchemeBuilder(kubernetes.AddToScheme, certmanager.AddToScheme, admission.AddToScheme, definitions.AddToScheme, aggregation.AddToScheme)
	if err := known.AddToScheme(scheme); err != nil {
		return err
	}
	// The user agent is also the name of the field manager.
	host, err := control.NewManager(util.RestConfigWithUserAgent(config, "cainjector"), control.Options{
		Scheme:  scheme,
		Metrics: metrics.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	kinds := map[string]bool{}
	for _, kind := range []string{"mutatingwebhookconfiguration", "validatingwebhookconfiguration", "apiservice", "customresourcedefinition"} {
		kinds[kind] = true
	}
	options := cainjector.SetupOptions{EnableCertificatesDataSource: true, EnabledReconcilersFor: kinds}
	if err := cainjector.RegisterAllInjectors(ctx, host, options); err != nil {
		return err
	}
	return host.Start(ctx)
}
