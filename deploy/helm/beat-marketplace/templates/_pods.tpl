{{- /* Settings of every process that are not secret. */ -}}
{{- define "beatmarket.settings" -}}
{{- range $name := list "DATABASE_URL" "DATABASE_OWNER_URL" "SECRET_KEY" "SECRET_KEY_PREVIOUS" "STRIPE_SECRET_KEY" "STRIPE_WEBHOOK_SECRET" "AWS_SECRET_ACCESS_KEY" "SMTP_URL" "METRICS_TOKEN" "BACKUP_KEY" "BACKUP_KEY_PREVIOUS" -}}
{{- if hasKey $.Values.config $name }}{{ fail (printf "config.%s is a secret, and a ConfigMap is none: put it into the Secret that %s names." $name (ternary "ownerSecret" "secret" (eq $name "DATABASE_OWNER_URL"))) }}{{ end -}}
{{- end -}}
{{- if hasKey .Values.config "PUBLIC_URL" }}{{ fail "config.PUBLIC_URL follows from host: set host, and remove config.PUBLIC_URL." }}{{ end -}}
{{- if and .Values.valkey.enabled (hasKey .Values.config "REDIS_URL") }}{{ fail "There are two places for rate limits: set valkey.enabled to false, or remove config.REDIS_URL." }}{{ end -}}
{{- if not (or .Values.valkey.enabled (hasKey .Values.config "REDIS_URL")) }}{{ fail "Several servers share their limits in Redis or Valkey: set config.REDIS_URL, or valkey.enabled to true." }}{{ end -}}
PUBLIC_URL: https://{{ .Values.host }}
{{- if .Values.valkey.enabled }}
REDIS_URL: redis://{{ .Release.Name }}-valkey:6379
{{- end }}
{{- range $name, $value := .Values.config }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- /* What all pods with our image have in common. Goes into the pod's spec. */ -}}
{{- define "beatmarket.pod" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  # No user of the host has this id.
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "beatmarket.container" -}}
image: {{ include "beatmarket.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{ include "beatmarket.confined" . }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{- define "beatmarket.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{- define "beatmarket.environment" -}}
envFrom:
  - configMapRef:
      name: {{ .Release.Name }}
  - secretRef:
      name: {{ .Values.secret }}
{{- end -}}

{{- /* Annotations of a pod: the settings' hash, so that pods are replaced when settings change. */ -}}
{{- define "beatmarket.podAnnotations" -}}
checksum/settings: {{ include "beatmarket.settings" . | sha256sum }}
{{- with .Values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Why checks of checkov do not apply (npm run foreign -- --only kubernetes). */ -}}
{{- define "beatmarket.checkov" -}}
checkov.io/skip1: CKV_K8S_11=A CPU limit throttles in the middle of requests; the share that it requests bounds it when CPUs are short.
checkov.io/skip2: CKV_K8S_43=The registry is yours, so its digest is unknown here; image.digest takes one.
checkov.io/skip3: CKV_K8S_35=The service reads all settings from its environment; nothing else runs in the container.
{{- end -}}
