import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanChart } from '../scan-file.ts';
import { renderChart } from './chart.ts';

const chartOf = (templates: Record<string, string>, values = '') => ({
  chart: 'apiVersion: v2\nname: shop\nversion: 1.2.0\nappVersion: "3.4"\n',
  values,
  templates: Object.entries(templates).map(([path, text]) => ({ path, text })),
});
const rendered = (text: string, values = '') =>
  renderChart(chartOf({ 'templates/a.yaml': text, 'templates/_helpers.tpl': helpers }, values))[0]?.text;

const helpers = `{{/* Names */}}
{{- define "shop.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- define "shop.labels" -}}
app: {{ include "shop.name" . }}
version: {{ .Chart.AppVersion | quote }}
{{- end }}
`;

test('templates are rendered with default values', () => {
  const expected: Array<[string, string, string]> = [
    ['a: {{ .Values.x }}', 'x: 1', 'a: 1'],
    ['a: {{ .Values.none }}', '', 'a: '],
    ['a: {{ .Values.x.y | default "d" | quote }}', 'x: {}', 'a: "d"'],
    [
      '{{- if and .Values.on (eq .Values.kind "x") }}\nb: 1\n{{- else if .Values.on }}\nb: 2\n{{- else }}\nb: 3\n{{- end }}',
      'on: true\nkind: y',
      '\nb: 2',
    ],
    ['{{ range $i, $v := .Values.list }}{{ $i }}={{ $v.n }} {{ end }}', 'list: [{ n: a }, { n: b }]', '0=a 1=b '],
    ['{{ range $k, $v := .Values.map }}{{ $k }}{{ $v }}{{ end }}', 'map: { b: 2, a: 1 }', 'a1b2'],
    [
      's:\n  {{- with .Values.security }}\n  {{- toYaml . | nindent 2 }}\n  {{- end }}',
      'security: { runAsUser: 1 }',
      's:\n  runAsUser: 1',
    ],
    ['{{ $n := include "shop.name" . }}n: {{ printf "%s-%s" $n "web" }}', '', 'n: shop-web'],
    ['l:\n  {{- include "shop.labels" . | nindent 2 }}', '', 'l:\n  app: shop\n  version: "3.4"'],
    ['a: {{ (index .Values.list 0).n }}', 'list: [{ n: a }]', 'a: a'],
    ['a: {{ .Release.Namespace }}', '', 'a: ${unknown}'],
    ['a: {{ ternary "y" "n" .Values.on }}', 'on: true', 'a: y'],
  ];
  for (const [text, values, output] of expected) assert.equal(rendered(text, values), output, text);
});

test('templates that depend on anything else are left out', () => {
  for (const text of [
    '{{ if .Capabilities.APIVersions.Has "x" }}a: 1{{ end }}',
    'a:\n{{ .Files.Get "x" | indent 2 }}',
    'spec:\n  {{ getHostByName "x" }}',
    '{{ toYaml (lookup "v1" "Pod" "a" "b") }}',
    '{{ include "missing" . }}',
    '{{ define "a" }}',
    '{{ if }}',
    '{{ end }}',
    '{{ template "a',
  ])
    assert.equal(rendered(text), undefined, text);
});

test('hostile templates terminate', () => {
  assert.equal(rendered('{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}'), undefined);
  const loops = '{{ range .Values.l }}'.repeat(30) + 'x' + '{{ end }}'.repeat(30);
  assert.equal(
    rendered(`{{ $l := .Values.l }}${loops.replaceAll('.Values.l', '$l')}`, `l: [${'1,'.repeat(100)}]`),
    undefined,
  );
  assert.equal(rendered(`{{ ${'('.repeat(500)} }}`), undefined);
  assert.equal(rendered('{{ if .x }}'.repeat(200)), undefined);
  assert.equal(rendered(`{{${' '.repeat(200_000)}`), undefined);
  const bomb = ['a0: &a0 [x, x]', ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)];
  assert.equal(rendered('{{ toYaml .Values.a30 }}', bomb.join('\n')), 'null');
});

test('problems of a chart are found at the lines of its templates', () => {
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "shop.name" . }}
spec:
  template:
    spec:
      {{- if .Values.hostNetwork }}
      hostNetwork: true
      {{- end }}
      containers:
        - name: {{ .Chart.Name }}
          image: "{{ .Values.image }}:{{ .Chart.AppVersion }}"
          securityContext:
            {{- toYaml .Values.securityContext | nindent 12 }}
          resources: { limits: { memory: 1Gi } }
`;
  const secure =
    '{ privileged: false, runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }';
  const found = (values: string) =>
    scanChart(chartOf({ 'templates/_helpers.tpl': helpers, 'templates/web.yaml': deployment }, values)).found.map(
      ({ rule, sight }) => `${sight.path}:${sight.startLine} ${rule.id} ${sight.resource}`,
    );
  assert.deepEqual(found(`image: a\nsecurityContext: ${secure}`), []);
  assert.deepEqual(
    found(`image: a\nhostNetwork: true\nsecurityContext: ${secure.replace('privileged: false', 'privileged: true')}`),
    [
      'templates/web.yaml:9 kubernetes-host-network Deployment/shop',
      'templates/web.yaml:15 kubernetes-privileged Deployment/shop container shop',
    ],
  );
});
