import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rules } from '../rules/index.ts';
import { scanFile } from '../scan-file.ts';
import { at, isRecord, type Value } from '../value.ts';
import { readYaml } from '../yaml-documents.ts';

const singular: Record<string, string> = {
  containers: 'container',
  initContainers: 'init_container',
  volumes: 'volume',
  volumeMounts: 'volume_mount',
  ports: 'port',
  tolerations: 'toleration',
  sysctls: 'sysctl',
};
const snake = (name: string) =>
  singular[name] ?? name.replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`).replace(/^_/, '');

/** Writes a manifest's objects as blocks of Terraform. */
function toBlocks(value: Value): Value {
  if (Array.isArray(value)) return value.map(toBlocks);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      /^(?:labels|annotations|nodeSelector|limits|requests)$/.test(name)
        ? [snake(name), inner]
        : [snake(name), isRecord(inner) ? [toBlocks(inner)] : toBlocks(inner)],
    ),
  );
}

function toTerraform(manifest: string): string | null {
  const [document] = readYaml(manifest);
  const { apiVersion: _, kind, ...rest } = (document?.value ?? {}) as Record<string, Value>;
  const type = { Pod: 'kubernetes_pod_v1', Deployment: 'kubernetes_deployment', CronJob: 'kubernetes_cron_job_v1' }[
    String(kind)
  ];
  if (!type || at(document?.value, 'spec') === undefined) return null;
  return JSON.stringify({ resource: { [type]: { web: [toBlocks(rest)] } } });
}

const idsIn = async (text: string) => (await scanFile('terraform', text)).found.map(({ rule }) => rule.id);

test('a workload that Terraform starts is checked as its manifest is', async () => {
  let compared = 0;
  for (const rule of rules.filter(({ kind }) => kind === 'kubernetes')) {
    for (const [texts, isFound] of [
      [rule.matches, true],
      [rule.misses, false],
    ] as const) {
      for (const text of texts) {
        const terraform = text.split(/^---$/m).length > 1 ? null : toTerraform(text);
        if (terraform === null) continue;
        compared++;
        assert.equal((await idsIn(terraform)).includes(rule.id), isFound, `${rule.id}\n${text}\n${terraform}`);
      }
    }
  }
  assert.ok(compared >= 60, `${compared} examples`);
});

test('a finding names the block, and settings that are known only at run time are not reported', async () => {
  const deployment = (container: string, image = '"nginx:1.27"') => `resource "kubernetes_deployment_v1" "web" {
  metadata {
    name      = "web"
    namespace = "shop"
  }
  spec {
    template {
      spec {
        container {
          name  = "app"
          image = ${image}
          ${container}
        }
      }
    }
  }
}
`;
  const { found } = await scanFile('terraform', deployment('security_context {\n privileged = true\n}'));
  const privileged = found.find(({ rule }) => rule.id === 'kubernetes-privileged')!;
  assert.equal(privileged.sight.resource, 'Deployment/kubernetes_deployment_v1.web container app');
  assert.deepEqual([privileged.sight.startLine, privileged.sight.endLine > 1], [1, true]);
  const settings = ['run_as_non_root', 'privileged', 'allow_privilege_escalation', 'read_only_root_filesystem'];
  const unknown = settings.map((name) => `${name} = data.settings.x.${name}`).join('\n');
  const ids = await idsIn(deployment(`security_context {\n${unknown}\n}`, 'data.images.x.latest'));
  for (const id of ['kubernetes-privileged', 'kubernetes-image-latest', 'kubernetes-privilege-escalation'])
    assert.ok(!ids.includes(id), id);
});
