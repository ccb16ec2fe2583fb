import { rulesOf } from '../rule.ts';
import { at, isTrue, listOf, textOf, textsOf } from '../value.ts';
import { onResource, type Resource, resourcesOf } from './kubernetes-helpers.ts';

const rule = rulesOf('kubernetes', [
  'https://kubernetes.io/docs/concepts/security/rbac-good-practices/',
  'https://www.cisecurity.org/benchmark/kubernetes',
]);

const role = (rules: string, kind = 'ClusterRole') =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: helper\nrules:\n  - ${rules}\n`;
const binding = (name: string, subject: string) =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n  name: b\nroleRef: { kind: ClusterRole, name: ${name} }\nsubjects: [{ kind: ${subject} }]\n`;

const rolesOf = (resources: Resource[]) => resources.filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole');
const permissionsOf = (resource: Resource) =>
  listOf(at(resource.body, 'rules')).map((rule, index) => ({
    path: ['rules', index],
    verbs: textsOf(at(rule, 'verbs')),
    resources: textsOf(at(rule, 'resources')),
    groups: textsOf(at(rule, 'apiGroups')),
    named: textsOf(at(rule, 'resourceNames')).length > 0,
  }));

export const kubernetesAccessRules = [
  rule({
    id: 'kubernetes-role-wildcard',
    title: 'A role allows all actions on all resources',
    severity: 'high',
    cwe: ['CWE-269', 'CWE-732'],
    knownAs: ['CKV_K8S_49', 'AVD-KSV-0044', 'AVD-KSV-0046', 'CIS-Kubernetes-5.1.3'],
    risk: 'An attacker who takes over a program with this role controls the namespace or the cluster.',
    remediation: 'List the verbs and resources that are needed.',
    find: (documents) =>
      rolesOf(resourcesOf(documents)).flatMap((role) =>
        permissionsOf(role)
          .filter(({ verbs, resources }) => verbs.includes('*') && resources.includes('*'))
          .slice(0, 1)
          .map(({ path }) => onResource(role, path, 'verbs: ["*"], resources: ["*"]')),
      ),
    matches: [role('{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }')],
    misses: [
      role('{ apiGroups: [apps], resources: [deployments], verbs: ["*"] }'),
      role('{ apiGroups: [""], resources: ["*"], verbs: [get] }'),
    ],
  }),
  rule({
    id: 'kubernetes-role-secrets',
    title: 'A role can read every Secret',
    severity: 'medium',
    cwe: ['CWE-522', 'CWE-732'],
    knownAs: ['AVD-KSV-0041', 'CIS-Kubernetes-5.1.2'],
    risk: 'It can read the credentials of every program in its scope, including those of service accounts.',
    remediation: 'List the needed Secrets in `resourceNames`, or mount them.',
    find: (documents) =>
      rolesOf(resourcesOf(documents)).flatMap((role) =>
        permissionsOf(role)
          .filter(
            ({ verbs, resources, named, groups }) =>
              role.kind === 'ClusterRole' &&
              !named &&
              resources.includes('secrets') &&
              groups.some((group) => group === '*' || group === '') &&
              verbs.some((verb) => /^(\*|get|list|watch)$/.test(verb)),
          )
          .slice(0, 1)
          .map(({ path, verbs }) => onResource(role, path, `${verbs.join(', ')} secrets`)),
      ),
    matches: [role('{ apiGroups: [""], resources: [secrets], verbs: [get, list] }').replace('[""]', '["*"]')],
    misses: [
      role('{ apiGroups: ["*"], resources: [secrets], resourceNames: [db], verbs: [get] }'),
      role('{ apiGroups: ["*"], resources: [configmaps], verbs: [get] }'),
      role('{ apiGroups: ["*"], resources: [secrets], verbs: [get] }', 'Role'),
    ],
  }),
  rule({
    id: 'kubernetes-role-exec',
    title: 'A role can run commands in every pod',
    severity: 'high',
    cwe: ['CWE-269'],
    knownAs: ['AVD-KSV-0053', 'CIS-Kubernetes-5.1.4'],
    risk: 'Its holder can act as any program in its scope, with that program’s credentials.',
    remediation: 'Grant `pods/exec` and `pods/attach` only to people, in the namespaces that they manage.',
    find: (documents) =>
      rolesOf(resourcesOf(documents)).flatMap((role) =>
        permissionsOf(role)
          .filter(
            ({ verbs, resources }) =>
              role.kind === 'ClusterRole' &&
              resources.some((name) => /^pods\/(exec|attach)$/.test(name)) &&
              verbs.some((verb) => /^(\*|create|get)$/.test(verb)),
          )
          .slice(0, 1)
          .map(({ path, resources }) => onResource(role, path, resources.join(', '))),
      ),
    matches: [role('{ apiGroups: [""], resources: [pods/exec], verbs: [create] }')],
    misses: [
      role('{ apiGroups: [""], resources: [pods], verbs: [create] }'),
      role('{ apiGroups: [""], resources: [pods/log], verbs: [get] }'),
    ],
  }),
  rule({
    id: 'kubernetes-role-escalation',
    title: 'A role can grant more permissions than it has',
    severity: 'high',
    cwe: ['CWE-269'],
    knownAs: ['CKV_K8S_158', 'AVD-KSV-0047', 'CIS-Kubernetes-5.1.8'],
    risk: 'Its holder can become administrator of the cluster.',
    remediation: 'Remove the verbs `escalate`, `bind` and `impersonate`.',
    find: (documents) =>
      rolesOf(resourcesOf(documents)).flatMap((role) =>
        permissionsOf(role)
          .filter(({ verbs, named }) => !named && verbs.some((verb) => /^(escalate|bind|impersonate)$/.test(verb)))
          .slice(0, 1)
          .map(({ path, verbs }) => onResource(role, path, verbs.join(', '))),
      ),
    matches: [role('{ apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [escalate] }')],
    misses: [role('{ apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [get] }')],
  }),
  rule({
    id: 'kubernetes-cluster-admin',
    title: 'cluster-admin is granted',
    severity: 'high',
    cwe: ['CWE-250', 'CWE-269'],
    knownAs: ['AVD-KSV-0111', 'CIS-Kubernetes-5.1.1'],
    risk: 'An attacker who takes over the program or account can do everything in the cluster.',
    remediation: 'Bind a role with only the needed permissions, in the namespace that needs them.',
    find: (documents) =>
      resourcesOf(documents)
        .filter(
          (binding) =>
            /RoleBinding$/.test(binding.kind) && textOf(at(binding.body, 'roleRef', 'name')) === 'cluster-admin',
        )
        .map((binding) => onResource(binding, ['roleRef'], 'roleRef: cluster-admin')),
    matches: [binding('cluster-admin', 'ServiceAccount, name: app, namespace: shop')],
    misses: [binding('view', 'ServiceAccount, name: app, namespace: shop')],
  }),
  rule({
    id: 'kubernetes-anonymous-binding',
    title: 'Permissions are granted to everyone',
    severity: 'high',
    cwe: ['CWE-284', 'CWE-306'],
    knownAs: ['CIS-Kubernetes-5.1.10'],
    risk: 'Anyone who reaches the API server has these permissions, without a password or token.',
    remediation: 'Bind specific accounts; never `system:anonymous` or `system:unauthenticated`.',
    find: (documents) =>
      resourcesOf(documents).flatMap((resource) =>
        /RoleBinding$/.test(resource.kind)
          ? listOf(at(resource.body, 'subjects'))
              .map((subject, index) => ({ index, name: textOf(at(subject, 'name')) }))
              .filter(({ name }) => /^system:(anonymous|unauthenticated)$/.test(name))
              .map(({ index, name }) => onResource(resource, ['subjects', index], name, name))
          : [],
      ),
    matches: [binding('view', 'Group, name: "system:unauthenticated"')],
    misses: [binding('view', 'Group, name: "system:masters"')],
  }),
  rule({
    id: 'kubernetes-ingress-without-tls',
    title: 'An Ingress serves without TLS',
    severity: 'medium',
    cwe: ['CWE-319'],
    knownAs: ['KICS-ingress-without-tls'],
    risk: 'Traffic can be read and changed in transit.',
    remediation: 'Name a certificate in `spec.tls`. (If a load balancer in front terminates TLS, accept the finding.)',
    references: ['https://kubernetes.io/docs/concepts/services-networking/ingress/#tls'],
    find: (documents) =>
      resourcesOf(documents)
        .filter((ingress) => {
          const annotations = JSON.stringify(at(ingress.body, 'metadata', 'annotations') ?? {});
          // Cloud providers' controllers read certificates from annotations.
          const isElsewhere =
            /certificate-arn|managed-certificates|pre-shared-cert|ssl-cert|tls-acme|cert-manager/.test(annotations);
          return (
            ingress.kind === 'Ingress' &&
            listOf(at(ingress.body, 'spec', 'rules')).length > 0 &&
            listOf(at(ingress.body, 'spec', 'tls')).length === 0 &&
            !isElsewhere
          );
        })
        .map((ingress) => onResource(ingress, ['spec'], 'no spec.tls')),
    matches: [
      'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: web }\nspec: { rules: [{ host: a.example }] }\n',
    ],
    misses: [
      'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: web }\nspec: { tls: [{ secretName: c }], rules: [{ host: a.example }] }\n',
    ],
  }),
  rule({
    id: 'kubernetes-secret-in-configmap',
    title: 'A ConfigMap contains a secret',
    severity: 'high',
    cwe: ['CWE-312', 'CWE-522'],
    knownAs: ['AVD-KSV-0109'],
    risk: 'ConfigMaps are widely readable and never encrypted.',
    remediation: 'Move it to a Secret (or an external store), and rotate the exposed value.',
    references: ['https://kubernetes.io/docs/concepts/configuration/secret/'],
    find: (documents) =>
      resourcesOf(documents).flatMap((resource) =>
        resource.kind === 'ConfigMap'
          ? Object.entries((at(resource.body, 'data') ?? {}) as Record<string, unknown>)
              .filter(
                ([name, value]) =>
                  /(?:^|[._-])(?:password|passwd|secret[._-]?key|api[._-]?key|access[._-]?key|private[._-]?key)$/i.test(
                    name,
                  ) &&
                  /^[^\s${}<>/]{4,}$/.test(textOf(value)) &&
                  !/^(?:changeme|true|false|none|null|example|dummy)$/i.test(textOf(value)),
              )
              .map(([name]) => onResource(resource, ['data', name], `${name}: …`, name))
          : [],
      ),
    matches: ['apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: { DB_PASSWORD: hunter22 }\n'],
    misses: [
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\ndata: { PASSWORD_FILE: /run/x, LOG: info, DB_PASSWORD: "${X}" }\n',
    ],
  }),
  rule({
    id: 'kubernetes-default-token',
    title: 'The default service account’s token is mounted into all its pods',
    severity: 'low',
    cwe: ['CWE-522'],
    knownAs: ['CKV_K8S_41', 'AVD-KSV-0036', 'CIS-Kubernetes-5.1.6'],
    risk: 'Every program in the namespace gets a token for the Kubernetes API that few need.',
    remediation: 'Set `automountServiceAccountToken: false` on the account, and `true` for the pods that need it.',
    find: (documents) =>
      resourcesOf(documents)
        .filter(
          (account) =>
            account.kind === 'ServiceAccount' &&
            account.name === 'default' &&
            (isTrue(at(account.body, 'automountServiceAccountToken')) ||
              at(account.body, 'automountServiceAccountToken') === undefined),
        )
        .map((account) => onResource(account, [], 'automountServiceAccountToken is not false')),
    matches: ['apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: default, namespace: a }\n'],
    misses: [
      'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: default }\nautomountServiceAccountToken: false\n',
      'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: app }\n',
    ],
  }),
];
