import { pinned } from '../rules/kubernetes-helpers.ts';
import type { TerraformBlock } from '../terraform.ts';
import { at, entriesOf, isRecord, textOf, type Value } from '../value.ts';
import type { YamlDocument } from '../yaml-documents.ts';

/** Kinds and API groups of Terraform's resources for workloads; each also has a type that ends in `_v1`. */
const workloads: Record<string, [kind: string, apiVersion: string]> = {
  kubernetes_pod: ['Pod', 'v1'],
  kubernetes_deployment: ['Deployment', 'apps/v1'],
  kubernetes_stateful_set: ['StatefulSet', 'apps/v1'],
  kubernetes_daemonset: ['DaemonSet', 'apps/v1'],
  kubernetes_daemon_set: ['DaemonSet', 'apps/v1'],
  kubernetes_replication_controller: ['ReplicationController', 'v1'],
  kubernetes_job: ['Job', 'batch/v1'],
  kubernetes_cron_job: ['CronJob', 'batch/v1'],
};

/** The types of Terraform's resources that are checked as manifests. */
export const checkedWorkloads: string[] = Object.keys(workloads).flatMap((type) => [type, `${type}_v1`]);

/** Blocks that may be repeated, with the names of their lists in manifests. */
const lists: Record<string, string> = {
  container: 'containers',
  init_container: 'initContainers',
  volume: 'volumes',
  volume_mount: 'volumeMounts',
  volume_device: 'volumeDevices',
  env: 'env',
  env_from: 'envFrom',
  port: 'ports',
  toleration: 'tolerations',
  host_aliases: 'hostAliases',
  image_pull_secrets: 'imagePullSecrets',
  sysctl: 'sysctls',
};

/** A placeholder for settings that are unknown until Terraform runs. Checks report nothing about it. */
const harmless: Record<string, Value> = {
  image: pinned,
  run_as_non_root: true,
  read_only_root_filesystem: true,
  privileged: false,
  allow_privilege_escalation: false,
  automount_service_account_token: false,
  host_network: false,
  host_pid: false,
  host_ipc: false,
  run_as_user: 10_001,
  run_as_group: 10_001,
};
const hardened: Value = {
  runAsNonRoot: true,
  readOnlyRootFilesystem: true,
  allowPrivilegeEscalation: false,
  privileged: false,
  runAsUser: 10_001,
  runAsGroup: 10_001,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

const isUnknown = (value: Value): boolean => textOf(value).includes('${');

const memberName = (name: string): string =>
  name === 'host_pid' || name === 'host_ipc'
    ? `host${name.slice(-3).toUpperCase()}`
    : name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Keys of these are people's own names. */
const maps = /^(?:labels|annotations|match_labels|node_selector|limits|requests|data)$/;

function toManifest(body: Record<string, Value>): Record<string, Value> {
  const manifest: Record<string, Value> = {};
  for (const [name, value] of entriesOf(body)) {
    if (name === 'dynamic') continue;
    const blocks = Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
    if (maps.test(name)) manifest[memberName(name)] = blocks[0] ?? value;
    else if (lists[name] !== undefined && blocks.length > 0) manifest[lists[name]] = blocks.map(toManifest);
    else if (blocks.length > 0) manifest[memberName(name)] = toManifest(blocks[0]!);
    else if (isUnknown(value)) manifest[memberName(name)] = harmless[name];
    else manifest[memberName(name)] = value;
  }
  if (at(body, 'dynamic', 'security_context') !== undefined) manifest.securityContext ??= hardened;
  return manifest;
}

/** Returns the manifests of a module's workloads, each with the lines of its block. */
export function manifestsIn(blocks: TerraformBlock[]): Array<{ block: TerraformBlock; document: YamlDocument }> {
  return blocks.flatMap((block) => {
    const workload = block.kind === 'resource' ? workloads[block.type.replace(/_v1$/, '')] : undefined;
    if (!workload) return [];
    const [kind, apiVersion] = workload;
    const { metadata, ...rest } = toManifest(block.body);
    const named = { name: `${block.type}.${block.name}`, namespace: at(metadata, 'namespace') };
    const value = { apiVersion, kind, metadata: { ...(isRecord(metadata) && metadata), ...named }, ...rest };
    const lines = { startLine: block.startLine, endLine: block.endLine };
    return [{ block, document: { value, linesOf: () => lines } }];
  });
}
