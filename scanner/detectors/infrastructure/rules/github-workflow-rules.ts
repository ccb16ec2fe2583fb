import { at, entriesOf, textOf } from '../value.ts';
import { action, isFixed, onPath, onStep, rule, stepsOf, workflow } from './github-helpers.ts';

export const githubWorkflowRules = [
  rule({
    id: 'github-actions-write-all',
    title: 'A workflow’s token has write access to everything',
    severity: 'medium',
    cwe: ['CWE-250', 'CWE-732'],
    knownAs: ['CKV2_GHA_1', 'zizmor-excessive-permissions'],
    risk: 'A compromised step or action can change the code, releases and settings of the repository.',
    remediation: 'Set `permissions: {}` for the workflow, and list what each job needs.',
    find: (document) =>
      [
        { path: ['permissions'], resource: 'workflow' },
        ...entriesOf(at(document.value, 'jobs')).map(([job]) => ({
          path: ['jobs', job, 'permissions'],
          resource: `job ${job}`,
        })),
      ]
        .filter(({ path }) => textOf(at(document.value, ...path)) === 'write-all')
        .map(({ path, resource }) => onPath(document, path, resource, 'permissions: write-all')),
    matches: [workflow('run: x', 'on: push\npermissions: write-all')],
    misses: [
      workflow('run: x', 'on: push\npermissions: read-all'),
      workflow('run: x', 'on: push\npermissions:\n  contents: write'),
    ],
  }),
  rule({
    id: 'github-actions-permissions-missing',
    title: 'A workflow does not limit its token',
    severity: 'low',
    cwe: ['CWE-732'],
    knownAs: ['CKV2_GHA_1', 'zizmor-excessive-permissions'],
    risk: 'In older repositories, the token then has write access to everything.',
    remediation: 'Set `permissions: {}` (or `contents: read`) for the workflow, and list what each job needs.',
    find: (document) => {
      const jobs = entriesOf(at(document.value, 'jobs'));
      const isLimited =
        at(document.value, 'permissions') !== undefined ||
        (jobs.length > 0 && jobs.every(([, job]) => at(job, 'permissions') !== undefined));
      return isLimited || jobs.length === 0 ? [] : [onPath(document, ['jobs'], 'workflow', 'no permissions')];
    },
    matches: [workflow('run: x', 'on: push')],
    misses: [workflow('run: x'), 'on: push\njobs:\n  a:\n    permissions: {}\n    steps: []\n'],
  }),
  rule({
    id: 'github-actions-unpinned',
    title: 'A third-party action is not pinned to a commit',
    severity: 'low',
    cwe: ['CWE-829', 'CWE-1357'],
    knownAs: ['zizmor-unpinned-uses', 'OWASP-CICD-SEC-3'],
    risk: 'Tags and branches can be moved: an attacker who compromises the action’s repository runs code here, with this repository’s secrets.',
    remediation:
      'Pin the commit: `uses: owner/action@<40 characters> # v1.2.3`. Dependabot and Renovate keep it up to date.',
    find: (document) =>
      [
        ...stepsOf(document).map((step) => ({
          uses: textOf(at(step.body, 'uses')),
          sight: (evidence: string) => onStep(document, step, 'uses', evidence, evidence.split('@')[0]),
        })),
        ...entriesOf(at(document.value, 'jobs')).map(([job, body]) => ({
          uses: textOf(at(body, 'uses')),
          sight: (evidence: string) => onPath(document, ['jobs', job, 'uses'], `job ${job}`, evidence),
        })),
      ]
        .filter(({ uses }) => {
          const [action = '', reference = ''] = uses.split('@');
          // GitHub's own actions are trusted as much as the workflow itself.
          return (
            /^[\w.-]+\/[\w./-]+$/.test(action) &&
            reference !== '' &&
            !isFixed(reference) &&
            !/^(?:actions|github)\//.test(action)
          );
        })
        .map(({ uses, sight }) => sight(uses)),
    matches: [
      workflow('uses: someone/action@v1'),
      action('uses: someone/action@v1'),
      'on: push\njobs:\n  a:\n    uses: someone/flows/.github/workflows/x.yml@main\n',
    ],
    misses: [
      workflow('uses: actions/checkout@v4'),
      workflow(`uses: someone/action@${'0123456789'.repeat(4)}`),
      workflow('uses: ./.github/actions/own'),
      workflow('uses: docker://alpine@sha256:00'),
    ],
  }),
  rule({
    id: 'github-actions-secrets-inherit',
    title: 'All secrets are passed to a third-party workflow',
    severity: 'medium',
    cwe: ['CWE-522', 'CWE-250'],
    knownAs: ['zizmor-secrets-inherit'],
    risk: 'The called workflow, and anyone who compromises its repository, can read secrets that it does not need.',
    remediation: 'List the secrets that the workflow needs.',
    find: (document) =>
      entriesOf(at(document.value, 'jobs'))
        .filter(([, body]) => textOf(at(body, 'secrets')) === 'inherit' && !textOf(at(body, 'uses')).startsWith('./'))
        .map(([job]) => onPath(document, ['jobs', job, 'secrets'], `job ${job}`, 'secrets: inherit')),
    matches: ['on: push\njobs:\n  a:\n    uses: someone/flows/.github/workflows/x.yml@main\n    secrets: inherit\n'],
    misses: [
      'on: push\njobs:\n  a:\n    uses: ./.github/workflows/x.yml\n    secrets: inherit\n',
      'on: push\njobs:\n  a:\n    uses: o/f/.github/workflows/x.yml@main\n    secrets:\n      A: ${{ secrets.A }}\n',
    ],
  }),
];
