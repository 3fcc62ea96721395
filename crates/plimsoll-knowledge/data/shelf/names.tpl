{{- /* Names as most charts make them: `helm create` has written them since Helm 3, and charts kept them. */ -}}
{{- define "shelf.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- define "shelf.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- $both := printf "%s-%s" .Release.Name $name -}}
{{- $usual := ternary .Release.Name $both (contains $name .Release.Name) -}}
{{- .Values.fullnameOverride | default $usual | trunc 63 | trimSuffix "-" -}}
{{- end -}}
