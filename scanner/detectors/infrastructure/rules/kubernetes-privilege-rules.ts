import { at, entriesOf, isFalse, isTrue, textOf, textsOf } from '../value.ts';
import {
  type Container,
  containersOf,
  onContainer,
  onResource,
  securityOf,
  workloadsOf,
} from './kubernetes-helpers.ts';
import { perContainer, pod, rule, security } from './kubernetes-rule.ts';

const capabilities = (container: Container, list: 'add' | 'drop') =>
  textsOf(at(container.body, 'securityContext', 'capabilities', list)).map((name) =>
    name.toUpperCase().replace(/^CAP_/, ''),
  );
/** Capabilities that give access to the node or to other containers' traffic. */
const grave = new Set([
  'ALL',
  'SYS_ADMIN',
  'SYS_PTRACE',
  'SYS_MODULE',
  'SYS_RAWIO',
  'NET_ADMIN',
  'DAC_READ_SEARCH',
  'BPF',
  'SYS_BOOT',
]);

export const kubernetesPrivilegeRules = [
  rule({
    id: 'kubernetes-privileged',
    title: 'A container runs in privileged mode',
    severity: 'high',
    cwe: ['CWE-250'],
    knownAs: ['CKV_K8S_16', 'AVD-KSV-0017', 'CIS-Kubernetes-5.2.2'],
    risk: 'An attacker who takes over the program can do everything on the node that root can.',
    remediation: 'Remove `privileged: true`; add only the capability that the program needs.',
    find: perContainer((container) =>
      isTrue(at(container.body, 'securityContext', 'privileged'))
        ? onContainer(container, ['securityContext', 'privileged'], 'privileged: true')
        : null,
    ),
    matches: [
      security('privileged: true'),
      `apiVersion: v1\nkind: List\nitems:\n  - ${security('privileged: true').replaceAll('\n', '\n    ').trim()}\n`,
    ],
    misses: [security('privileged: false'), pod('')],
  }),
  rule({
    id: 'kubernetes-privilege-escalation',
    title: 'A container’s processes can gain privileges',
    severity: 'medium',
    cwe: ['CWE-250', 'CWE-269'],
    knownAs: ['CKV_K8S_20', 'AVD-KSV-0001', 'CIS-Kubernetes-5.2.6'],
    risk: 'A program with the setuid bit makes any user root.',
    remediation: 'Set `securityContext.allowPrivilegeEscalation: false`.',
    find: perContainer((container) =>
      isTrue(at(container.body, 'securityContext', 'allowPrivilegeEscalation'))
        ? onContainer(container, ['securityContext'], 'allowPrivilegeEscalation: true')
        : null,
    ),
    matches: [security('allowPrivilegeEscalation: true')],
    misses: [security('allowPrivilegeEscalation: false'), pod('')],
  }),
  rule({
    id: 'kubernetes-run-as-root',
    title: 'A container runs as root',
    severity: 'medium',
    cwe: ['CWE-250'],
    knownAs: ['CKV_K8S_23', 'AVD-KSV-0012', 'CIS-Kubernetes-5.2.7'],
    risk: 'An attacker who takes over the program is root in the container, one kernel bug or mount mistake away from root on the node.',
    remediation:
      'Set `securityContext.runAsNonRoot: true` (or a `runAsUser` other than 0) for the pod or the container.',
    find: perContainer((container) => {
      const user = textOf(securityOf(container, 'runAsUser'));
      if (user === '0') return onContainer(container, ['securityContext'], 'runAsUser: 0');
      return user === '' && isFalse(securityOf(container, 'runAsNonRoot'))
        ? onContainer(container, ['securityContext'], 'runAsNonRoot: false')
        : null;
    }),
    matches: [
      security('runAsNonRoot: false'),
      security('runAsUser: 0'),
      pod('securityContext: { runAsNonRoot: true }', 'securityContext: { runAsUser: 0 }'),
    ],
    misses: [security('runAsNonRoot: true'), pod('securityContext: { runAsUser: 1000 }'), pod('')],
  }),
  rule({
    id: 'kubernetes-grave-capability',
    title: 'A container has a capability that allows a container escape',
    severity: 'high',
    cwe: ['CWE-250'],
    knownAs: ['CKV_K8S_39', 'AVD-KSV-0005', 'AVD-KSV-0022', 'CIS-Kubernetes-5.2.9'],
    risk: 'An attacker who takes over the program can use it to change the node or intercept other traffic.',
    remediation: 'Drop ALL capabilities and add only those that the program needs.',
    find: (documents) =>
      containersOf(documents).flatMap((container) =>
        capabilities(container, 'add')
          .filter((name) => grave.has(name))
          .map((name) => onContainer(container, ['securityContext', 'capabilities', 'add'], `adds ${name}`, name)),
      ),
    matches: [security('capabilities: { add: [SYS_ADMIN] }'), security('capabilities: { add: [CAP_NET_ADMIN] }')],
    misses: [security('capabilities: { add: [NET_BIND_SERVICE], drop: [ALL] }'), pod('')],
  }),
  rule({
    id: 'kubernetes-capabilities-kept',
    title: 'A container keeps capabilities that it does not need',
    severity: 'low',
    cwe: ['CWE-250'],
    knownAs: ['CKV_K8S_28', 'CKV_K8S_37', 'AVD-KSV-0003', 'CIS-Kubernetes-5.2.8'],
    risk: 'By default it can forge packets (NET_RAW) and change file owners, which few programs need.',
    remediation: 'Set `securityContext.capabilities.drop: [ALL]`, and add only what is needed.',
    find: perContainer((container) => {
      const dropped = capabilities(container, 'drop');
      const isPartial = dropped.length > 0 && !dropped.includes('ALL');
      return isPartial && !isTrue(at(container.body, 'securityContext', 'privileged'))
        ? onContainer(container, ['securityContext'], `drops ${dropped.join(', ')} only`)
        : null;
    }),
    matches: [security('capabilities: { drop: [KILL] }')],
    misses: [security('capabilities: { drop: [ALL] }'), security('capabilities: { drop: [all] }'), pod('')],
  }),
  rule({
    id: 'kubernetes-writable-root',
    title: 'A container’s root file system is writable',
    severity: 'low',
    cwe: ['CWE-732'],
    knownAs: ['CKV_K8S_22', 'AVD-KSV-0014'],
    risk: 'An attacker who takes over the program can install tools and change what runs next.',
    remediation: 'Set `securityContext.readOnlyRootFilesystem: true`, and mount `emptyDir` where files are written.',
    find: perContainer((container) =>
      isFalse(at(container.body, 'securityContext', 'readOnlyRootFilesystem'))
        ? onContainer(container, ['securityContext'], 'readOnlyRootFilesystem: false')
        : null,
    ),
    matches: [security('readOnlyRootFilesystem: false')],
    misses: [security('readOnlyRootFilesystem: true'), pod('')],
  }),
  rule({
    id: 'kubernetes-seccomp-unconfined',
    title: 'System calls of a container are not limited',
    severity: 'medium',
    cwe: ['CWE-693'],
    knownAs: ['CKV_K8S_31', 'AVD-KSV-0104', 'CIS-Kubernetes-5.7.2'],
    risk: 'More kernel vulnerabilities can be exploited from the container.',
    remediation: 'Set `seccompProfile.type: RuntimeDefault`.',
    find: perContainer((container) =>
      textOf(at(securityOf(container, 'seccompProfile'), 'type')) === 'Unconfined'
        ? onContainer(container, ['securityContext', 'seccompProfile'], 'seccompProfile: Unconfined')
        : null,
    ),
    matches: [
      security('seccompProfile: { type: Unconfined }'),
      pod('securityContext: { seccompProfile: { type: Unconfined } }'),
    ],
    misses: [security('seccompProfile: { type: RuntimeDefault }'), pod('')],
  }),
  rule({
    id: 'kubernetes-proc-mount',
    title: 'A container sees the whole of /proc',
    severity: 'medium',
    cwe: ['CWE-668'],
    knownAs: ['AVD-KSV-0027'],
    risk: 'The container can read and change parts of /proc that the runtime hides by default.',
    remediation: 'Remove `procMount: Unmasked`.',
    find: perContainer((container) =>
      textOf(at(container.body, 'securityContext', 'procMount')) === 'Unmasked'
        ? onContainer(container, ['securityContext', 'procMount'], 'procMount: Unmasked')
        : null,
    ),
    matches: [security('procMount: Unmasked')],
    misses: [security('procMount: Default')],
  }),
  rule({
    id: 'kubernetes-apparmor-unconfined',
    title: 'AppArmor is disabled for a container',
    severity: 'medium',
    cwe: ['CWE-693'],
    knownAs: ['AVD-KSV-0002'],
    risk: 'The runtime’s profile, which protects the node from containers, does not apply.',
    remediation: 'Use `RuntimeDefault`.',
    find: (documents) => [
      ...containersOf(documents)
        .filter((container) => textOf(at(securityOf(container, 'appArmorProfile'), 'type')) === 'Unconfined')
        .map((container) =>
          onContainer(container, ['securityContext', 'appArmorProfile'], 'appArmorProfile: Unconfined'),
        ),
      ...workloadsOf(documents).flatMap((workload) => {
        const path = [...workload.podPath.slice(0, -1), 'metadata', 'annotations'];
        return entriesOf(at(workload.body, ...path))
          .filter(
            ([name, value]) =>
              name.startsWith('container.apparmor.security.beta.kubernetes.io/') && value === 'unconfined',
          )
          .map(([name]) => onResource(workload, [...path, name], 'unconfined', name.slice(name.indexOf('/') + 1)));
      }),
    ],
    matches: [
      security('appArmorProfile: { type: Unconfined }'),
      pod('').replace(
        '  name: web\n',
        '  name: web\n  annotations: { container.apparmor.security.beta.kubernetes.io/app: unconfined }\n',
      ),
    ],
    misses: [security('appArmorProfile: { type: RuntimeDefault }'), pod('')],
  }),
];
