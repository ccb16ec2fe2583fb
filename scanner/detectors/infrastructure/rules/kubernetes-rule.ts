import { rulesOf, type Sight } from '../rule.ts';
import type { YamlDocument } from '../yaml-documents.ts';
import { type Container, containersOf } from './kubernetes-helpers.ts';

/** Builds a rule for workloads. */
export const rule = rulesOf('kubernetes', [
  'https://kubernetes.io/docs/concepts/security/pod-security-standards/',
  'https://cheatsheetseries.owasp.org/cheatsheets/Kubernetes_Security_Cheat_Sheet.html',
  'https://www.cisecurity.org/benchmark/kubernetes',
]);

/** Returns a pod with one container, with only the problems that the sample adds. */
export const pod = (spec: string, container = '', image = 'example.com/app:1.2') =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\nspec:\n${spec && `  ${spec}\n`}  containers:\n    - name: app\n      image: ${image}\n${container && `      ${container}\n`}`;
/** Returns the pod with settings in its container's security context. */
export const security = (settings: string) => pod('', `securityContext: { ${settings} }`);

/** Checks each container of every workload. */
export const perContainer =
  (look: (container: Container) => Sight | null) =>
  (documents: YamlDocument[]): Sight[] =>
    containersOf(documents).flatMap((container) => look(container) ?? []);
