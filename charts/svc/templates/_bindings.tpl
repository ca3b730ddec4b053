{{/* The subject of a binding: dict "root" $ "process" "controller" */}}
{{- define "svc.subjects" -}}
- kind: ServiceAccount
  name: {{ include "svc.account" . }}
  namespace: {{ include "svc.namespace" .root }}
{{- end -}}

{{/* A Role and its binding: dict "root" $ "process" … "name" … ["namespace" …] "rules" <text> */}}
{{- define "svc.role" -}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "namespace" .namespace "component" .process) | nindent 2 }}
rules:
  {{- .rules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "namespace" .namespace "component" .process) | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ .name }}
subjects:
  {{- include "svc.subjects" . | nindent 2 }}
{{- end -}}

{{/* A ClusterRole and its binding: dict "root" $ "process" … "name" … "rules" <text> */}}
{{- define "svc.clusterRole" -}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "cluster" true "component" .process) | nindent 2 }}
rules:
  {{- .rules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  {{- include "svc.metadata" (dict "root" .root "name" .name "cluster" true "component" .process) | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ .name }}
subjects:
  {{- include "svc.subjects" . | nindent 2 }}
{{- end -}}
