{{- /* What stand-ins share. Names: as `helm create` has written them since Helm 3, and most charts kept them. */ -}}
{{- define "shelf.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- define "shelf.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- $both := printf "%s-%s" .Release.Name $name -}}
{{- $usual := ternary .Release.Name $both (contains $name .Release.Name) -}}
{{- .Values.fullnameOverride | default $usual | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- /* The same where charts do not look whether the release has the name in it already. */ -}}
{{- define "shelf.both" -}}
{{- $both := printf "%s-%s" .Release.Name (.Values.nameOverride | default .Chart.Name) -}}
{{- .Values.fullnameOverride | default $both | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- /* A definition: `group`, and a `row` "Kind plural Scope version…"; * marks what is stored, - what is not served. */ -}}
{{- define "shelf.definition" -}}
{{- $words := splitList " " .row }}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {{ index $words 1 }}.{{ .group }}
spec:
  group: {{ .group }}
  scope: {{ index $words 2 }}
  names: {kind: {{ index $words 0 }}, plural: {{ index $words 1 }}}
  versions:
  {{- range slice $words 3 }}
    - {name: {{ trimAll "*-" . }}, served: {{ not (hasSuffix "-" .) }}, storage: {{ contains "*" . }}}
  {{- end }}
  {{- with .converter }}
  conversion:
    strategy: Webhook
    webhook: {clientConfig: {service: {{ toJson . }}}}
  {{- end }}
{{- end -}}
{{- /* A workload: `kind`, `name`, `namespace`, `labels`, `account`, `container` and `secrets`, volumes by their names. */ -}}
{{- define "shelf.workload" }}
---
apiVersion: apps/v1
kind: {{ .kind | default "Deployment" }}
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
spec:
  {{- if hasKey . "replicas" }}
  replicas: {{ .replicas }}
  {{- end }}
  selector:
    matchLabels: {{ toJson .labels }}
  template:
    metadata:
      labels: {{ toJson .labels }}
    spec:
      {{- with .account }}
      serviceAccountName: {{ . }}
      {{- end }}
      containers:
        - name: {{ .container }}
          {{- if .secrets }}
          volumeMounts:
          {{- range $volume, $secret := .secrets }}
            - name: {{ $volume }}
          {{- end }}
          {{- end }}
      {{- if .secrets }}
      volumes:
      {{- range $volume, $secret := .secrets }}
        - {name: {{ $volume }}, secret: {secretName: {{ $secret }}}}
      {{- end }}
      {{- end }}
{{- end -}}
{{- /* A Service: `name`, `namespace`, `labels` of the pods behind it. */ -}}
{{- define "shelf.service" }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
spec:
  selector: {{ toJson .labels }}
{{- end -}}
