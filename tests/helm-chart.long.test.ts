import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { dump, loadAll } from 'js-yaml';
import { pythonWith, runPython } from '../server/reports/writers/python.fixture.ts';

const { installHelm } = await import(new URL('../scripts/helm.mjs', import.meta.url).href);

const chart = join(import.meta.dirname, '../deploy/helm/assay');

type Probe = { httpGet: { path: string; port: string } };
type Container = {
  name: string;
  args: string[];
  ports?: Array<{ name: string; containerPort: number }>;
  env: Array<{ name: string; value: string }>;
  securityContext: Record<string, unknown>;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  volumeMounts: Array<{ name: string; mountPath: string }>;
};
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    replicas?: number;
    template?: {
      spec: { securityContext: Record<string, unknown>; containers: Container[]; volumes: Array<{ name: string }> };
    };
    rules?: Array<{ host: string }>;
  };
};

/** Every value that turns something on. */
const everything = {
  image: { repository: 'registry.example.com/assay', tag: '1.2.3' },
  imagePullSecrets: [{ name: 'registry' }],
  baseUrl: 'https://findings.example.org',
  settings: { ASSAY_PROCESSOR_BUDGET: 60, ASSAY_AUDIT_SYSLOG: 'tls://logs.example.com' },
  files: { scanners: 'our-scanners', codeRules: 'our-rules', branding: 'our-logo' },
  api: { replicas: 3, nodeSelector: { pool: 'a' }, tolerations: [{ key: 'a', operator: 'Exists' }], affinity: {} },
  worker: {
    replicas: 2,
    sandbox: true,
    cache: { size: '5Gi', storageClass: 'fast' },
    backups: { existingClaim: 'backups' },
    nodeSelector: { pool: 'b' },
    tolerations: [{ key: 'b', operator: 'Exists' }],
  },
  ingress: { enabled: true, className: 'nginx', host: 'findings.example.org', tlsSecret: 'certificate' },
  serviceMonitor: { enabled: true, interval: '15s' },
};

describe("the chart, by Helm's own program,", () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-helm-'));
  let helm: string;
  let python: string;

  /** Runs Helm with these values, or only with the chart's own. */
  function run(command: string[], values: object = {}) {
    const file = join(folder, 'values.yaml');
    writeFileSync(file, dump(values));
    const env = { PATH: process.env.PATH, HOME: folder };
    const { status, stdout, stderr } = spawnSync(helm, [...command, '--values', file], { encoding: 'utf8', env });
    return { status, stdout, stderr };
  }

  function render(values: object = {}): Manifest[] {
    const { status, stdout, stderr } = run(['template', 'trial', chart, '--kube-version', '1.30.0'], values);
    assert.equal(status, 0, stderr);
    return (loadAll(stdout) as Array<Manifest | null>).filter((manifest) => manifest !== null);
  }

  const find = (manifests: Manifest[], kind: string, name: string) =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)!;
  const containerOf = (manifest: Manifest) => manifest.spec.template!.spec.containers[0]!;
  const settingsOf = (manifest: Manifest) =>
    Object.fromEntries(containerOf(manifest).env.map(({ name, value }) => [name, value]));

  before(async () => {
    helm = installHelm();
    python = await pythonWith('kubernetes-validate==1.37.0');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('is accepted by helm lint, with its own values and with everything on', () => {
    for (const values of [{}, everything]) {
      const { status, stdout } = run(['lint', '--strict', chart], values);
      assert.equal(status, 0, stdout);
    }
  });

  test('creates manifests that are valid by the schemas of Kubernetes', async () => {
    const program = `import json, sys, kubernetes_validate as k
for manifest in json.load(sys.stdin):
    k.validate(manifest, k.latest_version(), strict=True)
print("valid")`;
    for (const values of [{}, everything]) {
      // The schema of this resource comes from the Prometheus operator, not from Kubernetes.
      const manifests = render(values).filter(({ apiVersion }) => !apiVersion.startsWith('monitoring.coreos.com/'));
      assert.ok(manifests.length >= 5);
      assert.equal((await runPython(python, program, JSON.stringify(manifests))).trim(), 'valid');
      const wrong = JSON.stringify(manifests).replace('"containerPort"', '"containerPrt"');
      await assert.rejects(runPython(python, program, wrong));
    }
  });

  test('runs everything without root and capabilities, and has probes for the served paths', () => {
    for (const values of [{}, everything]) {
      const made = render(values).filter(({ spec }) => spec.template);
      assert.deepEqual(made.map(({ metadata }) => metadata.name).sort(), [
        'trial-api',
        'trial-migrate',
        'trial-worker',
      ]);
      for (const manifest of made) {
        const { securityContext, volumes } = manifest.spec.template!.spec;
        const container = containerOf(manifest);
        assert.equal(securityContext.runAsNonRoot, true);
        const { capabilities, readOnlyRootFilesystem, allowPrivilegeEscalation } = container.securityContext;
        assert.deepEqual(
          [capabilities, readOnlyRootFilesystem, allowPrivilegeEscalation],
          [{ drop: ['ALL'] }, true, false],
        );
        assert.deepEqual(container.volumeMounts.map(({ name }) => name).sort(), volumes.map(({ name }) => name).sort());
        const ports = (container.ports ?? []).map(({ name }) => name);
        const probes = [container.livenessProbe, container.readinessProbe].filter((probe) => probe !== undefined);
        assert.equal(probes.length, manifest.kind === 'Job' ? 0 : 2);
        for (const { httpGet } of probes) assert.ok(ports.includes(httpGet.port), httpGet.port);
      }
      const worker = containerOf(find(made, 'Deployment', 'trial-worker'));
      const port = worker.env.find(({ name }) => name === 'ASSAY_WORKER_PORT')!.value;
      assert.equal(String(worker.ports![0]!.containerPort), port);
    }
  });

  test('passes its values on', () => {
    const manifests = render(everything);
    const [api, worker] = ['trial-api', 'trial-worker'].map((name) => find(manifests, 'Deployment', name)) as [
      Manifest,
      Manifest,
    ];
    assert.deepEqual([api.spec.replicas, worker.spec.replicas], [3, 2]);
    for (const manifest of [api, worker]) {
      const { ASSAY_BASE_URL, ASSAY_PROCESSOR_BUDGET, ASSAY_AUDIT_SYSLOG } = settingsOf(manifest);
      assert.deepEqual(
        [ASSAY_BASE_URL, ASSAY_PROCESSOR_BUDGET, ASSAY_AUDIT_SYSLOG],
        ['https://findings.example.org', '60', 'tls://logs.example.com'],
      );
    }
    assert.equal(settingsOf(worker).ASSAY_BACKUP_DIR, '/backups/assay');
    for (const manifest of [api, worker]) {
      const paths = containerOf(manifest).volumeMounts.map(({ mountPath }) => mountPath);
      for (const folder of ['scanners', 'code-rules', 'branding']) assert.ok(paths.includes(`/data/${folder}`), folder);
    }
    assert.equal(find(manifests, 'Ingress', 'trial').spec.rules![0]!.host, 'findings.example.org');
    assert.ok(find(manifests, 'ServiceMonitor', 'trial') && find(manifests, 'PodMonitor', 'trial-worker'));
    const few = render().map(({ kind }) => kind);
    for (const kind of ['Ingress', 'ServiceMonitor', 'PodMonitor']) assert.ok(!few.includes(kind), kind);
    const { annotations } = find(manifests, 'Job', 'trial-migrate').metadata;
    assert.equal(annotations!['helm.sh/hook'], 'pre-install,pre-upgrade');
  });

  test('is refused with an unknown value', () => {
    for (const [values, named] of [
      [{ worker: { replica: 2 } }, /replica/],
      [{ settings: { ASSAY_ALOWED_TARGETS: '10.0.0.0/8' } }, /ASSAY_ALOWED_TARGETS/],
    ] as const) {
      const { status, stderr } = run(['template', 'trial', chart, '--kube-version', '1.30.0'], values);
      assert.equal(status, 1);
      assert.match(stderr, named);
    }
  });
});
