module plimsoll.example/traefik

go 1.25.0

require (
	github.com/rs/zerolog v1.33.0
	github.com/traefik/traefik/v3 v3.6.12
)
