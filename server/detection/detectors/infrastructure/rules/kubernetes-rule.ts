import { rulesOf, type Sight } from '../rule.ts';
import type { YamlDocument } from '../yaml-documents.ts';
import { type Container, containersOf } from './kubernetes-helpers.ts';

/** A rule over workloads. */
export const rule = rulesOf('kubernetes', [
  'https://kubernetes.io/docs/concepts/security/pod-security-standards/',
  'https://cheatsheetseries.owasp.org/cheatsheets/Kubernetes_Security_Cheat_Sheet.html',
  'https://www.cisecurity.org/benchmark/kubernetes',
]);

/** A pod with one container that has nothing wrong in it but what the samples say. */
export const pod = (spec: string, container = '', image = 'example.com/app:1.2') =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\nspec:\n${spec && `  ${spec}\n`}  containers:\n    - name: app\n      image: ${image}\n${container && `      ${container}\n`}`;
/** The pod with settings of its container's security context. */
export const security = (settings: string) => pod('', `securityContext: { ${settings} }`);

/** Looks at each container of every workload. */
export const perContainer =
  (look: (container: Container) => Sight | null) =>
  (documents: YamlDocument[]): Sight[] =>
    containersOf(documents).flatMap((container) => look(container) ?? []);
