{{/* The label by which the controller and the admission policy know our pods, whatever other labels the values give them. */}}
{{- define "svc.ownPodLabel" -}}
svc.io/part-of
{{- end -}}

{{/* The labels that selectors of the chart stand on; `podLabels` may not set them. */}}
{{- define "svc.fixedPodLabels" -}}
{{ include "svc.selectorLabels" .root }}
app.kubernetes.io/component: {{ .component }}
{{ include "svc.ownPodLabel" . }}: {{ include "svc.fullname" .root }}
{{- end -}}

{{/* Metadata of our pods: dict "root" $ "component" "app" ["labels" …] ["annotations" …] */}}
{{- define "svc.podMetadata" -}}
labels:
  {{- include "svc.labelSet" (dict "root" .root "labels" .root.Values.podLabels "fixed" (merge (include "svc.fixedPodLabels" . | fromYaml) (default dict .labels))) | nindent 2 }}
{{- with merge (default dict .annotations) .root.Values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
A security context without our own user and group where OpenShift assigns them to the namespace: its restricted-v2 refuses
any other. What somebody chose stays. dict "root" $ "context" … "ours" 1000
*/}}
{{- define "svc.securityContext" -}}
{{- $context := .context -}}
{{- if .root.Capabilities.APIVersions.Has "security.openshift.io/v1" -}}
{{- range $key := list "runAsUser" "fsGroup" -}}
{{- if eq (int (get $context $key)) (int $.ours) }}{{ $context = omit $context $key }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end -}}

{{/* What every pod of ours has; tokens are mounted by hand, into the one container that needs them. */}}
{{- define "svc.podSpec" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with include "svc.pullSecretNames" . | fromJsonArray }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- include "svc.securityContext" (dict "root" . "context" .Values.podSecurityContext "ours" 1000) | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The probes of one container: dict "root" $ "port" "health" */}}
{{- define "svc.probes" -}}
{{- $port := .port -}}
{{- range $kind, $path := dict "livenessProbe" "/healthz" "readinessProbe" "/readyz" "startupProbe" "/healthz" }}
{{- $probe := index $.root.Values $kind }}
{{- if $probe.enabled }}
{{ $kind }}:
  httpGet:
    path: {{ $path }}
    port: {{ $port }}
  {{- omit $probe "enabled" | toYaml | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "svc.extraEnv" -}}
{{- with .Values.extraEnvVars }}
{{- toYaml . }}
{{- end }}
{{- end -}}

{{/* One key of the service's Secret: dict "root" $ "variable" "JWT_SECRET" "key" "jwt-secret" ["optional" true] */}}
{{- define "svc.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ include "svc.secretName" .root }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}

{{- define "svc.mailVariables" -}}
{{ include "svc.secretVariable" (dict "root" . "variable" "SMTP_USER" "key" "smtp-user" "optional" true) }}
{{ include "svc.secretVariable" (dict "root" . "variable" "SMTP_PASSWORD" "key" "smtp-password" "optional" true) }}
{{- end -}}

{{- define "svc.namespaceVariable" -}}
- name: POD_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
{{- end -}}

{{- define "svc.tokenMount" -}}
- name: cluster-access
  mountPath: /var/run/secrets/kubernetes.io/serviceaccount
  readOnly: true
{{- end -}}

{{- define "svc.tokenVolume" -}}
- name: cluster-access
  projected:
    defaultMode: 0440
    sources:
      - serviceAccountToken:
          path: token
          expirationSeconds: 3607
      - configMap:
          name: kube-root-ca.crt
          items:
            - key: ca.crt
              path: ca.crt
      - downwardAPI:
          items:
            - path: namespace
              fieldRef:
                fieldPath: metadata.namespace
{{- end -}}

{{/*
Secrets that the configuration names, as files <folder>/<secret>/<key>: no account of ours may read a Secret through the
API. dict "root" $ "process" "api"; answers a JSON list of names. One that is missing keeps its feature from working, not
the pod from starting.
*/}}
{{- define "svc.sharedKeySecrets" -}}
{{- $config := .root.Values.config -}}
{{- $names := list -}}
{{- if and (eq .process "api") (dig "externalWake" "enabled" false $config) -}}
{{- range dig "externalWake" "clusters" list $config }}{{ $names = append $names .secretRef.name }}{{ end -}}
{{- end -}}
{{- if eq .process "controller" -}}
{{- range (default list $config.externalDependencies) }}{{ $names = append $names .secretRef.name }}{{ end -}}
{{- end -}}
{{- $webhook := dig "notifications" "channels" "webhook" dict $config -}}
{{- if and (dig "notifications" "enabled" false $config) $webhook.enabled -}}
{{- range $webhook.webhooks }}{{ $names = append $names .secretRef.name }}{{ end -}}
{{- end -}}
{{- $names | uniq | sortAlpha | toJson -}}
{{- end -}}

{{- define "svc.sharedKeyMounts" -}}
{{- range (include "svc.sharedKeySecrets" . | fromJsonArray) }}
- name: {{ printf "key-%s" (sha256sum . | trunc 12) }}
  mountPath: /etc/svc/keys/{{ . }}
  readOnly: true
{{- end }}
{{- end -}}

{{- define "svc.sharedKeyVolumes" -}}
{{- range (include "svc.sharedKeySecrets" . | fromJsonArray) }}
- name: {{ printf "key-%s" (sha256sum . | trunc 12) }}
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    optional: true
{{- end }}
{{- end -}}

{{/* A duration such as 1m30s in whole seconds, a started one counted; it takes the text alone. */}}
{{- define "svc.seconds" -}}
{{- $seconds := 0.0 -}}
{{- range $part := regexFindAll "[0-9.]+(h|ms|m|s)" . -1 -}}
{{- $number := regexFind "^[0-9.]+" $part | float64 -}}
{{- $seconds = addf $seconds (mulf $number (get (dict "h" 3600.0 "m" 60.0 "s" 1.0 "ms" 0.001) (regexFind "[a-z]+$" $part))) -}}
{{- end -}}
{{- ceil $seconds | int -}}
{{- end -}}
