{{/*
The kinds of config.targeting.kinds with what is granted for each, as JSON: a list of {kind, group, version, plural, and field
or annotation with value}. Nothing is granted for a kind that is not named.
*/}}
{{- define "svc.namedKinds" -}}
{{- $table := .Files.Get "files/kinds.json" | fromJson -}}
{{- $named := list -}}
{{- range $kind := dig "targeting" "kinds" list .Values.config -}}
{{- with get $table $kind }}{{ $named = append $named (merge (dict "kind" $kind) .) }}{{ end -}}
{{- end -}}
{{- toJson $named -}}
{{- end -}}
