package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"

	"github.com/cert-manager/cert-manager/pkg/util/cmapichecker"
)

// Runs what the image of a part runs, called as the chart calls it. Words that change nothing here are passed over: log
// levels, ACME, and the election of a leader, for there is one process of each.
func runImage(until context.Context, part string, words []string) error {
	var c call
	var patience, interval time.Duration
	known := pflag.NewFlagSet(part, pflag.ContinueOnError)
	known.ParseErrorsAllowlist.UnknownFlags = true
	known.StringVar(&c.kubeconfig, "kubeconfig", "", "")
	switch part {
	case "controller":
		known.StringVar(&c.namespace, "cluster-resource-namespace", "kube-system", "")
		known.BoolVar(&c.gateways, "enable-gateway-api", false, "")
		known.StringVar(&c.liveness, "internal-healthz-listen-address", "0.0.0.0:9403", "")
	case "webhook":
		known.IntVar(&c.port, "secure-port", 6443, "")
		known.IntVar(&c.health, "healthz-port", 6080, "")
		known.StringVar(&c.namespace, "dynamic-serving-ca-secret-namespace", "", "")
		known.StringVar(&c.authority, "dynamic-serving-ca-secret-name", "", "")
		known.StringSliceVar(&c.names, "dynamic-serving-dns-names", nil, "")
	case "startupapicheck":
		known.DurationVar(&patience, "wait", 0, "")
		known.DurationVar(&interval, "interval", 5*time.Second, "")
	}
	if err := known.Parse(words); err != nil {
		return err
	}
	if part == "startupapicheck" {
		return check(until, patience, interval)
	}
	return c.parts(until, []string{part})
}

// Sends the two rehearsals of the start-up check until the webhook answers both as it should.
func check(until context.Context, patience, interval time.Duration) error {
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	checker, err := cmapichecker.New(config, os.Getenv("POD_NAMESPACE"))
	if err != nil {
		return err
	}
	limited, stop := context.WithTimeout(until, patience)
	defer stop()
	var last error
	ended := wait.PollUntilContextCancel(limited, interval, true, func(ctx context.Context) (bool, error) {
		if last = checker.Check(ctx); last == nil {
			fmt.Println("The cert-manager API is ready")
			return true, nil
		}
		if simple := cmapichecker.TranslateToSimpleError(last); simple != nil {
			fmt.Fprintf(os.Stderr, "Not ready: %v (%v)\n", simple, last)
		} else {
			fmt.Fprintf(os.Stderr, "Not ready: %v\n", last)
		}
		return false, nil
	})
	if ended != nil && last != nil {
		return last
	}
	return ended
}
