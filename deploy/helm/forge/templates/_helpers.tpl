{{- define "forge.name" -}}
{{- $name := .Chart.Name -}}
{{- if contains $name .Release.Name }}{{ $name = .Release.Name }}{{ else }}{{ $name = printf "%s-%s" .Release.Name $name }}{{ end -}}
{{- $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "forge.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "forge.labels" -}}
{{ include "forge.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "forge.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "forge.secret" -}}
{{ .Values.secret.existing | default (include "forge.name" .) }}
{{- end -}}

{{- define "forge.claim" -}}
{{ .Values.persistence.existingClaim | default (include "forge.name" .) }}
{{- end -}}

{{/* The names that a request may address the service by. */}}
{{- define "forge.hosts" -}}
{{- $name := include "forge.name" . -}}
{{- $namespace := .Release.Namespace -}}
{{- $hosts := list $name (printf "%s.%s" $name $namespace) (printf "%s.%s.svc" $name $namespace) (printf "%s.%s.svc.cluster.local" $name $namespace) -}}
{{- if .Values.ingress.enabled }}{{ $hosts = concat $hosts .Values.ingress.hosts }}{{ end -}}
{{- concat $hosts .Values.allowedHosts | uniq | join "," -}}
{{- end -}}

{{/* What fits together and what does not; values.schema.json has what can be said of one value alone. */}}
{{- define "forge.check" -}}
{{- if .Values.database.embedded -}}
  {{- if or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled -}}
    {{- fail "database.embedded: the embedded database is for one instance: set replicas: 1 and autoscaling.enabled: false, or use a server" -}}
  {{- end -}}
  {{- if hasKey .Values.secret.values "DATABASE_URL" -}}
    {{- fail "database.embedded: there is a DATABASE_URL in secret.values, too: take one of the two away" -}}
  {{- end -}}
{{- else if not (or .Values.secret.existing (hasKey .Values.secret.values "DATABASE_URL")) -}}
  {{- fail "secret: give DATABASE_URL in secret.values, or the name of a Secret that has it as secret.existing; or set database.embedded: true and replicas: 1" -}}
{{- end -}}
{{- if and .Values.secret.existing .Values.secret.values -}}
  {{- fail "secret: existing and values exclude each other" -}}
{{- end -}}
{{- range $name := list "HOST" "PORT" "DATA_DIR" "DATABASE_URL" "SHUTDOWN_SECONDS" "SHUTDOWN_DELAY_SECONDS" "ALLOW_OPEN" "ALLOWED_HOSTS" -}}
  {{- if hasKey $.Values.settings $name -}}
    {{- fail (printf "settings: %s is set by the chart: see the README for the value that it comes from" $name) -}}
  {{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
  {{- fail "ingress: name a host at least" -}}
{{- end -}}
{{- end -}}
