// Command traefik is what of the real Traefik reads Kubernetes: the providers of its own kinds and of Ingresses. What they
// find missing stands in their log, an object of JSON a line; what they make of the rest is thrown away, since nobody
// sends requests here. The whole of it brings the libraries of every cloud.
package main

import (
	"context"
	"os"

	"github.com/rs/zerolog"
	"github.com/rs/zerolog/log"
	"github.com/traefik/traefik/v3/pkg/config/dynamic"
	"github.com/traefik/traefik/v3/pkg/provider"
	"github.com/traefik/traefik/v3/pkg/provider/kubernetes/crd"
	"github.com/traefik/traefik/v3/pkg/provider/kubernetes/ingress"
	"github.com/traefik/traefik/v3/pkg/safe"
)

const (
	// The class whose Ingresses are its own, and no others.
	class = "public"
	// The address that those get: 192.0.2.0/24 is for documentation.
	address = "192.0.2.1"
)

func main() {
	log.Logger = zerolog.New(os.Stdout)
	configurations := make(chan dynamic.Message)
	pool := safe.NewPool(context.Background())
	providers := []provider.Provider{
		&crd.Provider{AllowEmptyServices: true},
		&ingress.Provider{
			AllowEmptyServices: true,
			IngressClass:       class,
			IngressEndpoint:    &ingress.EndpointIngress{IP: address},
		},
	}
	for _, one := range providers {
		if err := one.Provide(configurations, pool); err != nil {
			log.Fatal().Err(err).Msg("no connection to the cluster")
		}
	}
	for range configurations {
	}
}
