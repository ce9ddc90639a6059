{{- define "voxgate.name" -}}
{{- default .Release.Name .Values.fullnameOverride -}}
{{- end -}}

{{- define "voxgate.serviceAccount" -}}
{{- default (include "voxgate.name" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "voxgate.image" -}}
{{- .Values.image.repository -}}:{{- default .Chart.AppVersion .Values.image.tag -}}
{{- end -}}

{{/* Every address of the pod; that of IPv6 takes IPv4 as well. */}}
{{- define "voxgate.anyAddress" -}}
{{- if or (has "IPv6" .Values.service.ipFamilies) (hasSuffix "DualStack" .Values.service.ipFamilyPolicy) -}}
[::]
{{- else -}}
0.0.0.0
{{- end -}}
{{- end -}}

{{- define "voxgate.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: server
{{- end -}}

{{- define "voxgate.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "voxgate.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "voxgate.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* What nodes and migration have alike: a setting that one of them lacks is a fault that only an upgrade shows. */}}
{{- define "voxgate.env" -}}
- name: VOXGATE_HOME
  value: /var/lib/voxgate
- name: VOXGATE_CONFIG
  value: /etc/voxgate/config.json
{{- if .Values.tls.existingSecret }}
- name: VOXGATE_TLS_KEY
  value: /etc/voxgate-tls/tls.key
- name: VOXGATE_TLS_CERT
  value: /etc/voxgate-tls/tls.crt
{{- end }}
- name: VOXGATE_DATABASE
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.existingSecret }}
      key: {{ .Values.database.key }}
- name: VOXGATE_SEALING_MASTER_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .Values.masterKey.existingSecret }}
      key: {{ .Values.masterKey.key }}
{{- if .Values.media.store }}
- name: VOXGATE_MEDIA_STORE
  value: {{ .Values.media.store | quote }}
{{- end }}
{{- if .Values.media.endpoint }}
- name: VOXGATE_MEDIA_S3_ENDPOINT
  value: {{ .Values.media.endpoint | quote }}
{{- end }}
{{- if .Values.media.region }}
- name: VOXGATE_MEDIA_S3_REGION
  value: {{ .Values.media.region | quote }}
{{- end }}
{{- if .Values.media.existingSecret }}
- name: VOXGATE_MEDIA_S3_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ .Values.media.existingSecret }}
      key: accessKeyId
- name: VOXGATE_MEDIA_S3_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .Values.media.existingSecret }}
      key: secretAccessKey
{{- end }}
{{- if .Values.extraEnv }}
{{ toYaml .Values.extraEnv }}
{{- end }}
{{- end -}}

{{- define "voxgate.mounts" -}}
- name: home
  mountPath: /var/lib/voxgate
- name: tmp
  mountPath: /tmp
- name: settings
  mountPath: /etc/voxgate
  readOnly: true
{{- if .Values.tls.existingSecret }}
- name: tls
  mountPath: /etc/voxgate-tls
  readOnly: true
{{- end }}
{{- if .Values.extraVolumeMounts }}
{{ toYaml .Values.extraVolumeMounts }}
{{- end }}
{{- end -}}

{{- define "voxgate.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- if .Values.tls.existingSecret }}
- name: tls
  secret:
    secretName: {{ .Values.tls.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- if .Values.extraVolumes }}
{{ toYaml .Values.extraVolumes }}
{{- end }}
{{- end -}}
