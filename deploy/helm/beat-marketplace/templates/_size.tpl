{{- define "beatmarket.size" -}}
{{- index .Values.sizes .Values.size | toJson -}}
{{- end -}}

{{- /* Zero is a number of beats as well, so `default` does not do. */ -}}
{{- define "beatmarket.beats" -}}
{{- $size := include "beatmarket.size" . | fromJson -}}
{{- if kindIs "invalid" .Values.beats }}{{ $size.beats | int64 }}{{ else }}{{ .Values.beats | int64 }}{{ end -}}
{{- end -}}

{{- /* A server peaks at 284 MB and 163 bytes a beat (docs/benchmarks.md, What growth costs). Its limit is 512 MiB and 220 bytes a
       beat: a third more for each beat, and room for an export and for responses that clients do not read. */ -}}
{{- define "beatmarket.memoryLimit" -}}
{{- $beats := include "beatmarket.beats" . | int64 -}}
{{ add 512 (div (mul $beats 220) 1048576) }}Mi
{{- end -}}

{{- define "beatmarket.memoryRequest" -}}
{{- $beats := include "beatmarket.beats" . | int64 -}}
{{ add 384 (div (mul $beats 163) 1048576) }}Mi
{{- end -}}

{{- /* Parts of uploads (16 MB each), six exports, and the snapshot of the catalogue index twice: the old one and the one that
       replaces it. */ -}}
{{- define "beatmarket.serverDisk" -}}
{{- $beats := include "beatmarket.beats" . | int64 -}}
{{ add 4096 (div (mul $beats 326) 1048576) }}Mi
{{- end -}}

{{- /* Probes, two seconds apart, until a start has failed: ten minutes for a migration, and 40 µs a beat to build the index, which
       takes 12. A pod that finds a snapshot in the bucket needs less; the first one of a release builds. */ -}}
{{- define "beatmarket.startProbes" -}}
{{- $beats := include "beatmarket.beats" . | int64 -}}
{{ add 300 (div $beats 50000) }}
{{- end -}}
