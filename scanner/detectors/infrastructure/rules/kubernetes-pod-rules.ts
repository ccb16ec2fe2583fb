import { at, isTrue, listOf, textOf, type Value } from '../value.ts';
import { containersOf, onContainer, onResource, workloadsOf } from './kubernetes-helpers.ts';
import { perContainer, pod, rule } from './kubernetes-rule.ts';

function podFlag(field: string, id: string, what: string, knownAs: string[], risk: string) {
  return rule({
    id: `kubernetes-${id}`,
    title: `Pods share the node’s ${what}`,
    severity: 'high',
    cwe: ['CWE-250', 'CWE-653'],
    knownAs,
    risk,
    remediation: `Remove \`${field}: true\`; only programs that manage the node itself need it.`,
    find: (documents) =>
      workloadsOf(documents)
        .filter(({ pod }) => isTrue(at(pod, field)))
        .map((workload) => onResource(workload, [...workload.podPath, field], `${field}: true`)),
    matches: [pod(`${field}: true`)],
    misses: [pod(`${field}: false`), pod('')],
  });
}

const hostPaths = (pod: Value) =>
  listOf(at(pod, 'volumes')).map((volume, index) => ({
    index,
    name: textOf(at(volume, 'name')),
    path: textOf(at(volume, 'hostPath', 'path')).replace(/(.)\/+$/, '$1'),
  }));
const runtimeSockets = /^\/(?:var\/)?run(?:\/(?:docker|containerd\/containerd|crio\/crio|podman\/podman)\.sock)$/;
const sensitivePaths =
  /^\/(?:etc|root|proc|sys|dev|boot|home|usr|var|run|var\/run|var\/lib|var\/lib\/(?:kubelet|docker|containerd|etcd)|etc\/kubernetes(?:\/.*)?)?$/;

const safeSysctls =
  /^(?:kernel\.shm_rmid_forced|net\.ipv4\.(?:ip_local_port_range|tcp_syncookies|ping_group_range|ip_unprivileged_port_start|ip_local_reserved_ports|tcp_keepalive_time|tcp_fin_timeout|tcp_keepalive_intvl|tcp_keepalive_probes|tcp_rmem|tcp_wmem))$/;

export const kubernetesPodRules = [
  podFlag(
    'hostNetwork',
    'host-network',
    'network',
    ['CKV_K8S_19', 'AVD-KSV-0009', 'CIS-Kubernetes-5.2.5'],
    'The program can intercept the node’s traffic and reach services that listen only on the node.',
  ),
  podFlag(
    'hostPID',
    'host-pid',
    'processes',
    ['CKV_K8S_17', 'AVD-KSV-0010', 'CIS-Kubernetes-5.2.3'],
    'The program sees the processes of the node and of other pods, and their environment.',
  ),
  podFlag(
    'hostIPC',
    'host-ipc',
    'shared memory',
    ['CKV_K8S_18', 'AVD-KSV-0008', 'CIS-Kubernetes-5.2.4'],
    'The program can read and change memory that processes of the node share.',
  ),
  rule({
    id: 'kubernetes-runtime-socket',
    title: 'A pod mounts the socket of the container runtime',
    severity: 'critical',
    cwe: ['CWE-250', 'CWE-668'],
    knownAs: ['CKV_K8S_27', 'AVD-KSV-0006'],
    risk: 'Anyone with write access to the socket can start a container that controls the node.',
    remediation: 'Remove the mount: use BuildKit or Kaniko for builds, and the Kubernetes API for monitoring.',
    find: (documents) =>
      workloadsOf(documents).flatMap((workload) =>
        hostPaths(workload.pod)
          .filter(({ path }) => runtimeSockets.test(path))
          .map(({ index, path }) =>
            onResource(workload, [...workload.podPath, 'volumes', index], `hostPath ${path}`, path),
          ),
      ),
    matches: [pod('volumes: [{ name: s, hostPath: { path: /var/run/docker.sock } }]')],
    misses: [pod('volumes: [{ name: s, emptyDir: {} }]'), pod('volumes: [{ name: s, hostPath: { path: /data } }]')],
  }),
  rule({
    id: 'kubernetes-host-path',
    title: 'A pod mounts a sensitive node directory',
    severity: 'high',
    cwe: ['CWE-668', 'CWE-552'],
    knownAs: ['AVD-KSV-0023', 'CIS-Kubernetes-5.2.12'],
    risk: 'The container can read or change keys, other pods’ data or the node’s own programs.',
    remediation: 'Use a volume of the cluster; if a file of the node is needed, mount only that file, read-only.',
    find: (documents) =>
      workloadsOf(documents).flatMap((workload) =>
        hostPaths(workload.pod)
          .filter(({ path }) => path !== '' && sensitivePaths.test(path))
          .map(({ index, path }) =>
            onResource(workload, [...workload.podPath, 'volumes', index], `hostPath ${path}`, path),
          ),
      ),
    matches: [
      pod('volumes: [{ name: r, hostPath: { path: / } }]'),
      pod('volumes: [{ name: r, hostPath: { path: /etc/ } }]'),
    ],
    misses: [
      pod('volumes: [{ name: r, hostPath: { path: /data/app } }]'),
      pod('volumes: [{ name: r, configMap: { name: x } }]'),
    ],
  }),
  rule({
    id: 'kubernetes-host-port',
    title: 'A container uses a port of the node',
    severity: 'low',
    cwe: ['CWE-668'],
    knownAs: ['CKV_K8S_26', 'AVD-KSV-0024', 'CIS-Kubernetes-5.2.13'],
    risk: 'The port is open on every address of the node and bypasses network policies.',
    remediation: 'Use a Service.',
    find: (documents) =>
      containersOf(documents).flatMap((container) =>
        listOf(at(container.body, 'ports')).flatMap((port, index) => {
          const hostPort = textOf(at(port, 'hostPort'));
          return hostPort && hostPort !== '0'
            ? [onContainer(container, ['ports', index], `hostPort: ${hostPort}`, hostPort)]
            : [];
        }),
      ),
    matches: [pod('', 'ports: [{ containerPort: 80, hostPort: 80 }]')],
    misses: [pod('', 'ports: [{ containerPort: 80 }]')],
  }),
  rule({
    id: 'kubernetes-image-latest',
    title: 'A container’s image has no fixed version',
    severity: 'low',
    cwe: ['CWE-1357', 'CWE-829'],
    knownAs: ['CKV_K8S_14', 'AVD-KSV-0013'],
    risk: 'A restart may run a different program than the one that was tested.',
    remediation: 'Name a version, preferably with its digest.',
    find: perContainer((container) => {
      const image = textOf(at(container.body, 'image'));
      const tag = /:([\w.-]+)$/.exec(image.slice(image.lastIndexOf('/') + 1))?.[1] ?? 'latest';
      return image.includes('@') || /[${}<>]/.test(image) || tag !== 'latest'
        ? null
        : onContainer(container, ['image'], `image: ${image}`);
    }),
    matches: [pod('', '', 'nginx'), pod('', '', 'example.com:5000/nginx:latest')],
    misses: [pod(''), pod('', '', 'nginx@sha256:00'), pod('', '', '$IMAGE')],
  }),
  rule({
    id: 'kubernetes-memory-limit-missing',
    title: 'A container’s memory has no limit',
    severity: 'low',
    cwe: ['CWE-770'],
    knownAs: ['CKV_K8S_13', 'AVD-KSV-0018'],
    risk: 'A memory leak or an attack can use up the memory of the whole node.',
    remediation: 'Set `resources.limits.memory`.',
    // One finding for each workload, on its first container without a limit.
    find: (documents) =>
      [
        ...Map.groupBy(
          containersOf(documents).filter(
            ({ isInit, body }) => !isInit && at(body, 'resources', 'limits', 'memory') === undefined,
          ),
          ({ workload }) => workload.body,
        ).values(),
      ].map(([first, ...others]) =>
        onContainer(
          first!,
          ['resources'],
          `no resources.limits.memory${others.length > 0 ? `, nor in ${others.map(({ name }) => name).join(', ')}` : ''}`,
        ),
      ),
    matches: [pod('')],
    misses: [pod('', 'resources: { limits: { memory: 1Gi } }')],
  }),
  rule({
    id: 'kubernetes-secret-in-env',
    title: 'A manifest contains a secret',
    severity: 'high',
    cwe: ['CWE-798', 'CWE-312'],
    knownAs: ['CIS-Kubernetes-5.4.1'],
    risk: 'Anyone who can read the repository, or the Pod in the cluster, can read the secret.',
    remediation:
      'Keep it in a Secret (or an external store), reference it with `secretKeyRef`, and rotate the exposed value.',
    find: (documents) =>
      containersOf(documents).flatMap((container) =>
        listOf(at(container.body, 'env')).flatMap((entry, index) => {
          const [name, value] = [textOf(at(entry, 'name')), textOf(at(entry, 'value'))];
          const isSecret =
            /(?:^|_)(?:PASSWORD|PASSWD|SECRET|API_?KEY|SECRET_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH_TOKEN|ACCESS_TOKEN)$/i.test(
              name,
            );
          return isSecret &&
            value !== '' &&
            !/[${}<>]|^(?:changeme|true|false|none|null|dummy|example|\/.*)$/i.test(value)
            ? [onContainer(container, ['env', index], `${name}: …`, name)]
            : [];
        }),
      ),
    matches: [pod('', 'env: [{ name: DB_PASSWORD, value: hunter22 }]')],
    misses: [
      pod('', 'env: [{ name: DB_PASSWORD, valueFrom: { secretKeyRef: { name: db, key: password } } }]'),
      pod('', 'env: [{ name: PASSWORD_FILE, value: /run/x }, { name: DB_PASSWORD, value: $(OTHER) }]'),
    ],
  }),
  rule({
    id: 'kubernetes-unsafe-sysctl',
    title: 'A pod sets an unsafe kernel setting',
    severity: 'medium',
    cwe: ['CWE-693'],
    knownAs: ['AVD-KSV-0026'],
    risk: 'Settings outside the safe set affect the node, and thereby other pods.',
    remediation: 'Remove the sysctl, or set it on dedicated nodes.',
    find: (documents) =>
      workloadsOf(documents).flatMap((workload) =>
        listOf(at(workload.pod, 'securityContext', 'sysctls')).flatMap((sysctl, index) => {
          const name = textOf(at(sysctl, 'name'));
          const path = [...workload.podPath, 'securityContext', 'sysctls', index];
          return name && !safeSysctls.test(name) ? [onResource(workload, path, name, name)] : [];
        }),
      ),
    matches: [pod('securityContext: { sysctls: [{ name: kernel.msgmax, value: "65536" }] }')],
    misses: [pod('securityContext: { sysctls: [{ name: net.ipv4.tcp_syncookies, value: "1" }] }')],
  }),
];
