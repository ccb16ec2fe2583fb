{{- define "assay.labels" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "assay.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "assay.environment" -}}
- name: ASSAY_BASE_URL
  value: {{ .Values.baseUrl | quote }}
{{- $service := printf "%s.%s" .Release.Name .Release.Namespace }}
# The names of the service in the cluster, and your own.
- name: ASSAY_ALLOWED_HOSTS
  value: {{ list .Release.Name $service (printf "%s.svc" $service) (printf "%s.svc.cluster.local" $service) (.Values.settings.ASSAY_ALLOWED_HOSTS | default "") | join "," | quote }}
{{- range $name, $value := omit .Values.settings "ASSAY_ALLOWED_HOSTS" }}
- name: {{ $name }}
  {{- /* Helm reads whole numbers as floats, and would write 2000000 as 2e+06. */}}
  {{- if and (kindIs "float64" $value) (eq $value (floor $value)) }}
  value: {{ int64 $value | quote }}
  {{- else }}
  value: {{ $value | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "assay.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "assay.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "assay.fileMounts" -}}
{{- range $folder, $name := dict "scanners" .Values.files.scanners "code-rules" .Values.files.codeRules "branding" .Values.files.branding }}
{{- if $name }}
- { name: {{ $folder }}, mountPath: /data/{{ $folder }}, readOnly: true }
{{- end }}
{{- end }}
{{- end }}

{{- define "assay.fileVolumes" -}}
{{- range $folder, $name := dict "scanners" .Values.files.scanners "code-rules" .Values.files.codeRules "branding" .Values.files.branding }}
{{- if $name }}
- { name: {{ $folder }}, configMap: { name: {{ $name | quote }} } }
{{- end }}
{{- end }}
{{- end }}
