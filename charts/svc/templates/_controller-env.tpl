{{/* The environment of the controller, and of the Job that runs it once before an uninstall. */}}
{{- define "svc.controllerEnv" -}}
{{ include "svc.namespaceVariable" . }}
- name: HEALTH_PORT
  value: {{ .Values.service.controller.healthPort | quote }}
- name: METRICS_PORT
  value: {{ .Values.service.controller.metricsPort | quote }}
- name: API_URL
  value: http://{{ include "svc.fullname" . }}-api.{{ include "svc.namespace" . }}.svc:{{ .Values.service.api.port }}
{{ include "svc.secretVariable" (dict "root" . "variable" "INTERNAL_API_SECRET" "key" "internal-api-secret") }}
{{ include "svc.mailVariables" . }}
- name: KEYS_FOLDER
  value: /etc/svc/keys
{{- if dig "serviceRedirection" "enabled" false .Values.config }}
- name: SATELLITE_IMAGE
  value: {{ include "svc.image" (dict "root" . "process" "satellite") }}
- name: SATELLITE_IMAGE_PULL_POLICY
  value: {{ .Values.image.pullPolicy }}
- name: SATELLITE_IMAGE_PULL_SECRETS
  value: {{ include "svc.satellitePullSecretNames" . | fromJsonArray | join "," | quote }}
- name: SATELLITE_PLACEMENT
  value: {{ include "svc.satellitePlacement" . | quote }}
- name: SATELLITE_STATUS_URL
  value: http://{{ include "svc.fullname" . }}-app.{{ include "svc.namespace" . }}.svc:{{ .Values.service.frontend.port }}
{{- end }}
{{- with include "svc.extraEnv" . }}
{{ . }}
{{- end }}
{{- end -}}
