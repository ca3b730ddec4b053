{{/*
The kinds of config.targeting.kinds with what is granted for each, as JSON: a list of {kind, group, version, plural, and path
below spec or annotation, with the value that it sleeps by, and within, the path to what comes and goes with it}. Nothing is
granted for a kind that is neither named nor described.
*/}}
{{- define "svc.namedKinds" -}}
{{- $table := .Files.Get "files/kinds.json" | fromJson -}}
{{- $named := list -}}
{{- range $entry := dig "targeting" "kinds" list .Values.config -}}
{{- if kindIs "string" $entry -}}
{{- with get $table $entry }}{{ $named = append $named (merge (dict "kind" $entry) .) }}{{ end -}}
{{- else -}}
{{- $named = append $named (include "svc.describedKind" $entry | fromJson) -}}
{{- end -}}
{{- end -}}
{{- toJson $named -}}
{{- end -}}

{{/* The same of one kind that the values describe. A JSON pointer (RFC 6901) has ~1 for a slash and ~0 for a tilde. */}}
{{- define "svc.describedKind" -}}
{{- $grant := pick . "kind" "group" "version" "plural" -}}
{{- if .annotation -}}
{{- $grant = merge $grant (dict "annotation" .annotation.name "value" .annotation.value) -}}
{{- else -}}
{{- $field := default (dict "pointer" .scale "value" 0) .field -}}
{{- $path := list -}}
{{- range $step := rest (rest (splitList "/" (default "" $field.pointer))) }}{{ $path = append $path ($step | replace "~1" "/" | replace "~0" "~") }}{{ end -}}
{{- $grant = merge $grant (dict "path" $path "value" $field.value) -}}
{{- end -}}
{{- toJson $grant -}}
{{- end -}}

{{/* `spec.template.spec`, for people. */}}
{{- define "svc.kindPlace" -}}
{{- if .annotation }}the annotation {{ .annotation }}{{ else }}spec.{{ join "." .path }}{{ end -}}
{{- end -}}

{{/* The spec of an object as a plain map, in CEL: an object of a kind of others may have none. */}}
{{- define "svc.specOf" -}}
(has({{ . }}.spec) ? dyn({{ . }}.spec) : dyn({}))
{{- end -}}

{{/* The value at the place that a kind sleeps by, in CEL: (dict "kind" the kind's grant "object" "object" or "oldObject"). */}}
{{- define "svc.kindValue" -}}
{{- if .kind.annotation -}}
{{ .object }}.metadata.?annotations[?'{{ .kind.annotation }}'].orValue('')
{{- else -}}
{{ include "svc.specOf" .object }}{{ range .kind.path }}[?'{{ . }}']{{ end }}.orValue(dyn(null))
{{- end -}}
{{- end -}}

{{/* Whether the place comes to hold the value that the kind sleeps by, in CEL. */}}
{{- define "svc.kindTakenDown" -}}
{{- $value := ternary (printf "'%v'" .value) (toJson .value) (kindIs "string" .value) -}}
{{ include "svc.kindValue" (dict "kind" . "object" "object") }} == {{ $value }} && {{ include "svc.kindValue" (dict "kind" . "object" "oldObject") }} != {{ $value }}
{{- end -}}

{{/*
That nothing but the place changed below the field of the spec that holds it, in CEL; empty where the field is the place. Around a
place that comes with the object that holds it the apiserver fills that in: it may then be there with ours, and be gone with ours.
*/}}
{{- define "svc.kindNothingElse" -}}
{{- $new := "variables.spec" -}}
{{- $old := "variables.oldSpec" -}}
{{- $path := .path -}}
{{- $rules := list -}}
{{- range $depth, $step := initial $path -}}
{{- $new = printf "%s[?'%s']" $new $step -}}
{{- $old = printf "%s[?'%s']" $old $step -}}
{{- $n := printf "%s.orValue({})" $new -}}
{{- $o := printf "%s.orValue({})" $old -}}
{{- $next := index $path (add1 $depth | int) -}}
{{- $rules = append $rules (printf "%s.all(key, key == '%s' || (key in %s && %s[key] == %s[key])) && %s.all(key, key == '%s' || key in %s)" $n $next $o $n $o $o $next $n) -}}
{{- end -}}
{{- $all := join " && " $rules -}}
{{- if .within -}}
{{- $object := "" -}}
{{- range .within }}{{ $object = printf "%s[?'%s']" $object . }}{{ end -}}
{{- printf "!variables.spec%s.hasValue() || !variables.oldSpec%s.hasValue() || (%s)" $object $object $all -}}
{{- else -}}
{{- $all -}}
{{- end -}}
{{- end -}}
