import { at, isTrue, textOf, textsOf } from '../value.ts';
import { type Container, containersOf, onResource, securityOf, type Workload } from './kubernetes-helpers.ts';
import { pod, rule, security } from './kubernetes-rule.ts';

/** Settings of a hardened container, with the names of their checks in Checkov and Trivy. */
const namesOfSettings = {
  'allowPrivilegeEscalation: false': ['CKV_K8S_20', 'AVD-KSV-0001'],
  'runAsNonRoot: true': ['CKV_K8S_23', 'AVD-KSV-0012'],
  'capabilities.drop: [ALL]': ['CKV_K8S_28', 'CKV_K8S_37', 'AVD-KSV-0003'],
  'readOnlyRootFilesystem: true': ['CKV_K8S_22', 'AVD-KSV-0014'],
};
type Setting = keyof typeof namesOfSettings;

/** Settings that a container should have but omits. Wrong settings are covered by other checks. */
function missingSettings(container: Container): Setting[] {
  const { body, workload } = container;
  const own = (name: string) => at(body, 'securityContext', name);
  const isPrivileged = isTrue(own('privileged'));
  const isWindows = at(workload.pod, 'securityContext', 'windowsOptions') !== undefined;
  const isUserOpen =
    textOf(securityOf(container, 'runAsUser')) === '' && securityOf(container, 'runAsNonRoot') === undefined;
  const missing: Array<Setting | false> = [
    own('allowPrivilegeEscalation') === undefined && !isPrivileged && 'allowPrivilegeEscalation: false',
    isUserOpen && !isWindows && 'runAsNonRoot: true',
    textsOf(at(own('capabilities'), 'drop')).length === 0 && !isPrivileged && 'capabilities.drop: [ALL]',
    own('readOnlyRootFilesystem') === undefined && 'readOnlyRootFilesystem: true',
  ];
  return missing.filter((setting) => setting !== false);
}

const hardened =
  'runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] }';

export const kubernetesHardeningRules = [
  rule({
    id: 'kubernetes-not-hardened',
    title: 'A workload’s containers are not hardened',
    severity: 'medium',
    cwe: ['CWE-250', 'CWE-1188'],
    knownAs: Object.values(namesOfSettings).flat(),
    risk: 'By default, a container runs as root with capabilities, can gain more, and can change its own programs: an attacker who takes it over is one kernel bug or mount mistake away from the node.',
    remediation: `Set in the \`securityContext\` of each container: \`${hardened}\`.`,
    find: (documents) => {
      const byWorkload = new Map<unknown, { workload: Workload; missing: Map<Setting, string[]> }>();
      for (const container of containersOf(documents)) {
        const { workload } = container;
        const entry = byWorkload.get(workload.body) ?? { workload, missing: new Map() };
        byWorkload.set(workload.body, entry);
        for (const setting of missingSettings(container))
          entry.missing.set(setting, [...(entry.missing.get(setting) ?? []), container.name]);
      }
      return [...byWorkload.values()]
        .filter(({ missing }) => missing.size > 0)
        .map(({ workload, missing }) => ({
          ...onResource(
            workload,
            [...workload.podPath, 'containers'],
            `not set: ${[...missing].map(([setting, names]) => `${setting} (${names.join(', ')})`).join('; ')}`,
          ),
          knownAs: [...missing.keys()].flatMap((setting) => namesOfSettings[setting]),
        }));
    },
    matches: [pod(''), security('runAsNonRoot: true'), security(hardened.replace('runAsNonRoot: true, ', ''))],
    misses: [
      security(hardened),
      security(hardened.replace('runAsNonRoot: true', 'runAsUser: 0')),
      pod('securityContext: { runAsNonRoot: true }', `securityContext: { ${hardened} }`),
    ],
  }),
];
