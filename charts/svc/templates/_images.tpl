{{/* The image of a process: dict "root" $ "process" "api" */}}
{{- define "svc.image" -}}
{{- $image := .root.Values.image -}}
{{- $path := compact (list $image.registry $image.repositoryPrefix (index $image .process).repository) | join "/" -}}
{{- $reference := printf "%s:%s" $path (default .root.Chart.AppVersion $image.tag) -}}
{{- /* With a digest the tag is for people: the digest alone says which image it is. */ -}}
{{- with (index $image .process).digest }}{{ $reference = printf "%s@%s" $reference . }}{{ end -}}
{{- $reference -}}
{{- end -}}

{{- define "svc.pullSecretName" -}}
{{- default (printf "%s-pull" (include "svc.fullname" .)) .Values.imagePullSecrets.secretName -}}
{{- end -}}

{{/* Names of all pull secrets, as a JSON list. */}}
{{- define "svc.pullSecretNames" -}}
{{- $names := list -}}
{{- with .Values.imagePullSecrets.existingSecret }}{{ $names = append $names . }}{{ end -}}
{{- if .Values.imagePullSecrets.create }}{{ $names = append $names (include "svc.pullSecretName" .) }}{{ end -}}
{{- range .Values.global.imagePullSecrets }}{{ $names = append $names (kindIs "string" . | ternary . (get (kindIs "map" . | ternary . dict) "name")) }}{{ end -}}
{{- $names | uniq | toJson -}}
{{- end -}}

{{/* Pull secrets of the satellites, as a JSON list; each is in the namespace of the Service. */}}
{{- define "svc.satellitePullSecretNames" -}}
{{- $names := .Values.satellite.imagePullSecrets -}}
{{- if .Values.satellite.createPullSecrets }}{{ $names = append $names (include "svc.pullSecretName" .) }}{{ end -}}
{{- $names | uniq | toJson -}}
{{- end -}}
