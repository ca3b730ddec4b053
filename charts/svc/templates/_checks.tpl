{{/*
What the schema cannot say, as a sentence that a person can act on. Each check adds to a list, so that one install shows
all of them.
*/}}
{{- define "svc.checks" -}}
{{- $problems := list -}}
{{- range $check := list "svc.check.required" "svc.check.addresses" "svc.check.hours" "svc.check.targeting" "svc.check.kinds" "svc.check.types" "svc.check.features" "svc.check.deployment" -}}
{{- range (include $check $ | fromJsonArray) }}{{ $problems = append $problems . }}{{ end -}}
{{- end -}}
{{- if $problems -}}
{{- fail (printf "\n\n%s" (join "\n" $problems)) -}}
{{- end -}}
{{- end -}}

{{- define "svc.check.required" -}}
{{- $problems := list -}}
{{- $generate := "generate one with: openssl rand -base64 32" -}}
{{- if not .Values.config.clusterName }}{{ $problems = append $problems "config.clusterName is required: the name of this cluster in the web app, in notifications and in wake requests to other clusters." }}{{ end -}}
{{- if not .Values.config.externalUrl }}{{ $problems = append $problems "config.externalUrl is required: the address under which people reach this instance, for example https://svc.example.com." }}{{ end -}}
{{- if not .Values.secrets.existingSecret -}}
{{- if not .Values.secrets.jwtSecret }}{{ $problems = append $problems (printf "secrets.jwtSecret is required (%s), or set secrets.existingSecret." $generate) }}{{ end -}}
{{- if not .Values.secrets.internalApiSecret }}{{ $problems = append $problems (printf "secrets.internalApiSecret is required (%s), or set secrets.existingSecret." $generate) }}{{ end -}}
{{- if and .Values.secrets.jwtSecret (lt (len .Values.secrets.jwtSecret) 32) }}{{ $problems = append $problems (printf "secrets.jwtSecret is too short, it must hold at least 32 bytes: %s." $generate) }}{{ end -}}
{{- if and .Values.secrets.internalApiSecret (lt (len .Values.secrets.internalApiSecret) 32) }}{{ $problems = append $problems (printf "secrets.internalApiSecret is too short, it must hold at least 32 bytes: %s." $generate) }}{{ end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "svc.check.addresses" -}}
{{- $problems := list -}}
{{- $config := .Values.config -}}
{{- if and (hasPrefix "http://" (default "" $config.externalUrl)) (not $config.allowInsecureExternalUrl) }}{{ $problems = append $problems (printf "config.externalUrl %q is not https: use https, or set config.allowInsecureExternalUrl=true for local development." $config.externalUrl) }}{{ end -}}
{{- if not $config.allowInsecureExternalUrl -}}
{{- range $index, $host := default list $config.externalDependencies -}}
{{- if hasPrefix "http://" (default "" $host.url) }}{{ $problems = append $problems (printf "config.externalDependencies[%d].url %q is not https: use https, or set config.allowInsecureExternalUrl=true for local development." $index $host.url) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if and (dig "auth" "webauthn" "enabled" false $config) $config.internalUrl -}}
{{- if not (has (urlParse $config.internalUrl).path (list "" "/")) }}{{ $problems = append $problems (printf "config.internalUrl %q has a path, which passkeys do not allow: write the address without it, or set config.auth.webauthn.enabled=false." $config.internalUrl) }}{{ end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{/* The pattern of a day is in the schema; that a range ends after it starts is here. */}}
{{- define "svc.check.hours" -}}
{{- $problems := list -}}
{{- $zone := dig "workingHours" "timezone" "Europe/Berlin" .Values.config -}}
{{- $zones := .Files.Get "files/time-zones.txt" | trim | splitList "\n" -}}
{{- if not (has (lower $zone) (splitList " " (lower (join " " $zones)))) -}}
{{- $start := regexFind "^(.*/)?[^/]{1,3}" $zone | lower -}}
{{- $near := list -}}
{{- range $zones }}{{ if hasPrefix $start (lower .) }}{{ $near = append $near . }}{{ end }}{{ end -}}
{{- $example := ternary (join " or " (slice $near 0 (min 3 (len $near)))) "Europe/Berlin or UTC" (gt (len $near) 0) -}}
{{- $problems = append $problems (printf "config.workingHours.timezone %q is not a time zone: write a name of the IANA database, such as %s." $zone $example) -}}
{{- end -}}
{{- range $day, $hours := dig "workingHours" "schedule" dict .Values.config -}}
{{- if and (kindIs "string" $hours) (contains "-" $hours) -}}
{{- range $range := splitList "," $hours -}}
{{- $times := splitList "-" $range -}}
{{- $start := first $times -}}
{{- $end := last $times -}}
{{- if and (ne $end "00:00") (le $end $start) }}{{ $problems = append $problems (printf "config.workingHours.schedule.%s: the range %s ends before it starts: end it at 00:00 for midnight, and put the rest on the next day." $day $range) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "svc.check.targeting" -}}
{{- $problems := list -}}
{{- range $index, $entry := dig "targeting" "namespaces" "exclude" list .Values.config -}}
{{- if and $entry.exact $entry.pattern }}{{ $problems = append $problems (printf "config.targeting.namespaces.exclude[%d]: invalid exclude pattern %d: cannot specify both pattern and exact" $index $index) }}
{{- else if not (or $entry.exact $entry.pattern) }}{{ $problems = append $problems (printf "config.targeting.namespaces.exclude[%d]: invalid exclude pattern %d: must specify either pattern or exact" $index $index) }}{{ end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{/* What start-up says of the same entries (src/domain/kinds/described-problems.ts), before it is installed. */}}
{{- define "svc.check.kinds" -}}
{{- $problems := list -}}
{{- $known := .Files.Get "files/kinds.json" | fromJson -}}
{{- $reserved := .Files.Get "files/reserved-kinds.json" | fromJson -}}
{{- $names := list -}}
{{- $places := list -}}
{{- range $index, $entry := dig "targeting" "kinds" list .Values.config -}}
{{- $described := not (kindIs "string" $entry) -}}
{{- $kind := $described | ternary (get (ternary $entry dict $described) "kind") $entry -}}
{{- $at := printf "config.targeting.kinds[%d]" $index -}}
{{- range $earlier, $name := $names }}{{ if eq $name (lower $kind) }}{{ $problems = append $problems (printf "%s%s: %q is already used by entry %d; each may be there once" $at ($described | ternary ".kind" "") $kind $earlier) }}{{ end }}{{ end -}}
{{- $names = append $names (lower $kind) -}}
{{- $place := "" -}}
{{- if $described -}}
{{- $name := get $reserved.names (lower $kind) -}}
{{- if has (lower $kind) $reserved.ofKubernetes }}{{ $problems = append $problems (printf "%s.kind: %q is the name of a kind of Kubernetes itself, which cannot be described; describe a custom resource" $at $kind) }}
{{- else if hasKey $known $name }}{{ $problems = append $problems (printf "%s.kind: %q is known to the service; write %s alone, without a description" $at $kind $name) }}
{{- else if $name }}{{ $problems = append $problems (printf "%s.kind: %q always sleeps; leave it out" $at $kind) }}{{ end -}}
{{- if or (hasSuffix ".k8s.io" $entry.group) (not (contains "." $entry.group)) }}{{ $problems = append $problems (printf "%s.group: %q is a group of Kubernetes itself, whose kinds cannot be described; write the group of a custom resource, such as example.com" $at $entry.group) }}{{ end -}}
{{- $place = printf "%s.%s" $entry.plural $entry.group -}}
{{- range $other, $row := $known }}{{ if eq $place (printf "%s.%s" $row.plural $row.group) }}{{ $problems = append $problems (printf "%s.plural: %s is known to the service; write %s alone, without a description" $at $place $other) }}{{ end }}{{ end -}}
{{- if has $place $places }}{{ $problems = append $problems (printf "%s.plural: %s is already described by entry %d; each may be there once" $at $place (include "svc.indexOf" (dict "list" $places "item" $place) | int)) }}{{ end -}}
{{- $ways := list -}}
{{- range $way := list "scale" "field" "annotation" }}{{ if get $entry $way }}{{ $ways = append $ways $way }}{{ end }}{{ end -}}
{{- if ne (len $ways) 1 }}{{ $problems = append $problems (printf "%s: %s; set exactly one of scale, field and annotation" $at (empty $ways | ternary "does not say by what it sleeps" (printf "sets %s" (join " and " $ways)))) }}{{ end -}}
{{- with (default dict $entry.annotation).name -}}
{{- $domain := splitList "/" . | first -}}
{{- range $owner, $taken := dict "this service" "svc.io" "Kubernetes" "kubernetes.io" "Kubernetes " "k8s.io" -}}
{{- if or (eq $domain $taken) (hasSuffix (printf ".%s" $taken) $domain) }}{{ $problems = append $problems (printf "%s.annotation.name: %q is reserved for %s; write an annotation of the operator of the kind" $at $entry.annotation.name (trim $owner)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $places = append $places $place -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "svc.indexOf" -}}
{{- $found := "" -}}
{{- range $index, $item := .list }}{{ if and (eq $found "") (eq $item $.item) }}{{ $found = toString $index }}{{ end }}{{ end -}}
{{- $found -}}
{{- end -}}

{{/* A type is a kind that the service knows, or one that the values describe; lower case and plural are understood. */}}
{{- define "svc.check.types" -}}
{{- $problems := list -}}
{{- $reserved := .Files.Get "files/reserved-kinds.json" | fromJson -}}
{{- $described := list -}}
{{- range dig "targeting" "kinds" list .Values.config }}{{ if not (kindIs "string" .) }}{{ $described = append $described .kind }}{{ end }}{{ end -}}
{{- $right := concat $reserved.listed $described -}}
{{- $selectors := dict -}}
{{- $config := .Values.config -}}
{{- range $index, $rule := dig "resourceRules" "neverScale" list $config }}{{ $_ := set $selectors (printf "config.resourceRules.neverScale[%d]" $index) $rule }}{{ end -}}
{{- range $key := list "hibernateOrdering" "wakeOrdering" -}}
{{- range $tier, $one := dig $key "tiers" list $config }}{{ range $index, $rule := $one.select }}{{ $_ := set $selectors (printf "config.%s.tiers[%d].select[%d]" $key $tier $index) $rule }}{{ end }}{{ end -}}
{{- end -}}
{{- range $index, $one := dig "externalDependencies" list $config }}{{ range $at, $rule := $one.resources }}{{ $_ := set $selectors (printf "config.externalDependencies[%d].resources[%d]" $index $at) $rule }}{{ end }}{{ end -}}
{{- range $index, $one := dig "externalWake" "clusters" list $config }}{{ range $at, $rule := $one.resources }}{{ $_ := set $selectors (printf "config.externalWake.clusters[%d].resources[%d]" $index $at) $rule }}{{ end }}{{ end -}}
{{- range $place, $rule := $selectors -}}
{{- with $rule.type -}}
{{- $type := lower . -}}
{{- $isKnown := hasKey $reserved.names $type -}}
{{- range $described }}{{ if has $type (list (lower .) (printf "%ss" (lower .))) }}{{ $isKnown = true }}{{ end }}{{ end -}}
{{- if not $isKnown }}{{ $problems = append $problems (printf "%s.type: %q is not a type: write %s or %s" $place . (join ", " (initial $right)) (last $right)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "svc.check.features" -}}
{{- $problems := list -}}
{{- $config := .Values.config -}}
{{- if and (dig "externalWake" "enabled" false $config) (not (dig "externalWake" "localClusterName" "" $config)) }}{{ $problems = append $problems "config.externalWake.localClusterName is required while config.externalWake.enabled is true: the name by which dependent clusters know this one." }}{{ end -}}
{{- if and (dig "awsCosts" "enabled" false $config) (not (dig "awsCosts" "tagValue" "" $config)) }}{{ $problems = append $problems "config.awsCosts.tagValue is required while config.awsCosts.enabled is true: the name of the cluster as its cost allocation tag has it." }}{{ end -}}
{{- if .Values.externalWakeSecrets.create -}}
{{- if not .Values.externalWakeSecrets.secrets }}{{ $problems = append $problems "externalWakeSecrets.secrets is empty while externalWakeSecrets.create is true: give each Secret a name and keys." }}{{ end -}}
{{- range $index, $secret := .Values.externalWakeSecrets.secrets -}}
{{- range $key, $value := $secret.keys -}}
{{- if lt (len $value) 32 }}{{ $problems = append $problems (printf "externalWakeSecrets.secrets[%d].keys.%s is too short, it must hold at least 32 bytes: generate one with: openssl rand -base64 32." $index $key) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "svc.check.deployment" -}}
{{- $problems := list -}}
{{- with .Values.imagePullSecrets -}}
{{- if and .create (not (and .username .password)) }}{{ $problems = append $problems "imagePullSecrets.username and imagePullSecrets.password are required while imagePullSecrets.create is true: the sign-in at the registry." }}{{ end -}}
{{- end -}}
{{- if and .Values.satellite.createPullSecrets (not .Values.imagePullSecrets.create) }}{{ $problems = append $problems "satellite.createPullSecrets needs imagePullSecrets.create: it puts the Secret that is made there into the namespaces of the redirected services. For a Secret that exists in those namespaces, set satellite.imagePullSecrets." }}{{ end -}}
{{- if and .Values.tls.enabled (not .Values.tls.secretName) }}{{ $problems = append $problems "tls.secretName is required while tls.enabled is true: a Secret of type kubernetes.io/tls in the namespace." }}{{ end -}}
{{- range $process := list "api" "controller" -}}
{{- $account := index $.Values.serviceAccount $process -}}
{{- if and (not $account.create) (not $account.name) }}{{ $problems = append $problems (printf "serviceAccount.%s.name is required while serviceAccount.%s.create is false: the account that the %s runs as." $process $process $process) }}{{ end -}}
{{- end -}}
{{- range $label, $_ := include "svc.fixedPodLabels" (dict "root" $ "component" "any") | fromYaml -}}
{{- if hasKey $.Values.podLabels $label }}{{ $problems = append $problems (printf "podLabels sets %s, which the chart finds its own pods by: choose another label; every other label of the chart can be replaced." $label) }}{{ end -}}
{{- end -}}
{{- $ports := .Values.service -}}
{{- if or (eq (int $ports.api.port) (int $ports.api.healthPort)) (has (int $ports.api.port) (list 3000 3443 9090)) (has (int $ports.api.healthPort) (list 3000 3443 9090)) }}{{ $problems = append $problems "service.api.port and service.api.healthPort must differ from each other and from 3000, 3443 and 9090, which other listeners of the pod use." }}{{ end -}}
{{- if eq (int $ports.controller.healthPort) (int $ports.controller.metricsPort) }}{{ $problems = append $problems "service.controller.healthPort and service.controller.metricsPort must differ." }}{{ end -}}
{{- if eq (include "svc.account" (dict "root" $ "process" "api")) (include "svc.account" (dict "root" $ "process" "controller")) -}}
{{- if .Values.serviceAccount.api.name }}{{ $problems = append $problems "serviceAccount.api.name and serviceAccount.controller.name are the same: the API would get the controller's rights." }}{{ end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}
