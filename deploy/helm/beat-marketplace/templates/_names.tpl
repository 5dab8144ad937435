{{- /* Labels that select the pods of a component. Takes a list: the root context, the component. */ -}}
{{- define "beatmarket.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: beatmarket
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- /* Labels of an object. Takes the same list. */ -}}
{{- define "beatmarket.labels" -}}
{{- $root := index . 0 -}}
{{ include "beatmarket.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ $root.Chart.Name }}-{{ $root.Chart.Version }}
{{- end -}}

{{- define "beatmarket.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end -}}
{{- end -}}
{{- end -}}
