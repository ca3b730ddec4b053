{{/* The full name. Only `svc` is accepted: controller and API look for their objects under it. */}}
{{- define "svc.fullname" -}}
{{- $full := .Values.fullnameOverride -}}
{{- if not $full -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full = ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- end -}}
{{- if ne $full "svc" -}}
{{- fail (printf "\n\nThe full name of this release would be %q, but the controller and the API find their ConfigMaps and Services by the name \"svc\": name the release \"svc\" or set fullnameOverride=svc." $full) -}}
{{- end -}}
{{- $full -}}
{{- end -}}

{{- define "svc.namespace" -}}
{{- default .Release.Namespace .Values.namespace.name -}}
{{- end -}}

{{/*
Whether the chart renders its namespace. Helm keeps the release in the release namespace, so that one is there first
(--create-namespace), and one that is there and not of this release cannot be taken over: both stay as they are. Without a
cluster to look at (helm template, Argo CD) nothing stands in the way.
*/}}
{{- define "svc.makesNamespace" -}}
{{- if .Values.namespace.create -}}
{{- $name := include "svc.namespace" . -}}
{{- $found := lookup "v1" "Namespace" "" $name -}}
{{- $ours := eq (dig "metadata" "annotations" "meta.helm.sh/release-name" "" $found) .Release.Name -}}
{{- $needed := and (eq $name .Release.Namespace) (lookup "v1" "Namespace" "" "kube-system") -}}
{{- if or $ours (not (or $found $needed)) }}true{{ end -}}
{{- end -}}
{{- end -}}

{{- define "svc.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "svc.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "svc.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: {{ include "svc.fullname" . }}
{{- end -}}

{{/*
The labels of an object, each key once: a label of the values takes the place of ours.
dict "root" $ ["component" …] ["labels" <dict of the values>] ["fixed" <dict that nothing replaces>]
*/}}
{{- define "svc.labelSet" -}}
{{- $ours := include "svc.labels" .root | fromYaml -}}
{{- with .component }}{{ $_ := set $ours "app.kubernetes.io/component" . }}{{ end -}}
{{- merge (dict) (default dict .fixed) (default dict .labels) $ours | toYaml -}}
{{- end -}}

{{/* Metadata of one object: dict "root" $ "name" … ["component" …] ["labels" …] ["annotations" …] ["cluster" true] */}}
{{- define "svc.metadata" -}}
name: {{ .name }}
{{- if not .cluster }}
namespace: {{ default (include "svc.namespace" .root) .namespace }}
{{- end }}
labels:
  {{- include "svc.labelSet" . | nindent 2 }}
{{- with .annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The account of a process: dict "root" $ "process" "api" */}}
{{- define "svc.account" -}}
{{- $account := index .root.Values.serviceAccount .process -}}
{{- if $account.create -}}
{{- default (printf "%s-%s" (include "svc.fullname" .root) .process) $account.name -}}
{{- else -}}
{{- $account.name -}}
{{- end -}}
{{- end -}}

{{/* The name by which the apiserver knows that account. */}}
{{- define "svc.accountUser" -}}
{{- printf "system:serviceaccount:%s:%s" (include "svc.namespace" .root) (include "svc.account" .) -}}
{{- end -}}

{{- define "svc.secretName" -}}
{{- default (printf "%s-secrets" (include "svc.fullname" .)) .Values.secrets.existingSecret -}}
{{- end -}}

{{/* Where satellites may run, as JSON: as their own values say, or as those of our pods. */}}
{{- define "svc.satellitePlacement" -}}
{{- $placement := dict -}}
{{- range $key := list "nodeSelector" "tolerations" "affinity" -}}
{{- with or (get $.Values.satellite $key) (get $.Values $key) }}{{ $_ := set $placement $key . }}{{ end -}}
{{- end -}}
{{- toJson $placement -}}
{{- end -}}

{{/*
Services that point at a satellite now, as a JSON list of {namespace, name}, whatever the values name: as the state has
recorded them, until their satellite is gone, and as they are should the state be lost. Without a cluster to look at (helm
template, Argo CD) none are known; in a namespace that goes away there is nothing to give back.
*/}}
{{- define "svc.redirectedNow" -}}
{{- $found := list -}}
{{- $state := lookup "v1" "ConfigMap" (include "svc.namespace" .) (printf "%s-state" (include "svc.fullname" .)) -}}
{{- /* Of a text that is no list of records, helm makes a list of error texts. */ -}}
{{- range dig "data" "satellites" "[]" $state | fromJsonArray -}}
{{- if kindIs "map" . }}{{ $found = append $found . }}{{ end -}}
{{- end -}}
{{- range dig "items" list (lookup "v1" "Service" "" "") -}}
{{- if hasKey (default dict .spec.selector) "svc.io/satellite" }}{{ $found = append $found .metadata }}{{ end -}}
{{- end -}}
{{- $services := list -}}
{{- range $found -}}
{{- $service := dict "namespace" (toString .namespace) "name" (toString .name) -}}
{{- $namespace := lookup "v1" "Namespace" "" $service.namespace -}}
{{- if and $namespace (eq (dig "status" "phase" "" $namespace) "Active") }}{{ $services = append $services $service }}{{ end -}}
{{- end -}}
{{- $services | uniq | toJson -}}
{{- end -}}

{{/* The namespaces of the redirected Services but our own, as a JSON list. */}}
{{- define "svc.satelliteNamespaces" -}}
{{- $namespaces := list -}}
{{- if dig "serviceRedirection" "enabled" false .Values.config -}}
{{- range dig "serviceRedirection" "services" list .Values.config }}{{ $namespaces = append $namespaces .namespace }}{{ end -}}
{{- end -}}
{{- without $namespaces (include "svc.namespace" .) | uniq | sortAlpha | toJson -}}
{{- end -}}

{{- define "svc.hasBranding" -}}
{{- with .Values.branding }}{{ if or .name .logo.light .logo.dark .accentColor }}true{{ end }}{{ end -}}
{{- end -}}
