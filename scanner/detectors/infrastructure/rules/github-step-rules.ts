import type { Sight } from '../rule.ts';
import { at, entriesOf, isTrue, textOf } from '../value.ts';
import type { YamlDocument } from '../yaml-documents.ts';
import {
  action,
  eventsOf,
  foreignTextIn,
  onPath,
  onStep,
  rule,
  type Step,
  stepsOf,
  workflow,
} from './github-helpers.ts';

/** A job condition that limits it to events without secrets. */
const isForOtherEvents = (condition: string): boolean =>
  /github\.event_name\s*(?:==\s*'(?:pull_request|push|schedule|workflow_dispatch)'|!=\s*'(?:pull_request_target|workflow_run)')/.test(
    condition,
  );

/** Commands that fetch the code of a pull request. */
const fetching =
  /\bgh\s+pr\s+checkout\b|\bgit\s+(?:fetch|pull)\b[^\n]*(?:\bpull\/[^\n]{1,80}?\/(?:head|merge)\b|github\.(?:head_ref|event\.pull_request\.head))|\bgit\s+(?:checkout|switch|reset)\b[^\n]*github\.event\.pull_request\.head\.sha/;

function foreignCheckout(document: YamlDocument, step: Step): Sight[] {
  const { body } = step;
  const run = fetching.exec(textOf(at(body, 'run')));
  if (run) return [onStep(document, step, 'run', run[0])];
  const isCheckout =
    /^actions\/checkout@/.test(textOf(at(body, 'uses'))) &&
    /github\.event\.(?:pull_request\.head|workflow_run\.head)|github\.head_ref|refs\/pull\//.test(
      textOf(at(body, 'with', 'ref')) + textOf(at(body, 'with', 'repository')),
    );
  return isCheckout ? [onStep(document, step, 'with', `ref: ${textOf(at(body, 'with', 'ref'))}`)] : [];
}

export const githubStepRules = [
  rule({
    id: 'github-actions-script-injection',
    title: 'A command contains text that outsiders control',
    severity: 'high',
    cwe: ['CWE-78', 'CWE-94'],
    knownAs: ['CKV_GHA_2', 'zizmor-template-injection'],
    risk: 'An issue title or a branch name becomes part of a script: its author can run commands with the job’s token and secrets.',
    remediation: 'Pass the text in `env` and use it as a quoted variable (`"$TITLE"`).',
    find: (document) =>
      stepsOf(document).flatMap((step) => {
        const uses = textOf(at(step.body, 'uses'));
        const field = uses.startsWith('actions/github-script@')
          ? at(step.body, 'with', 'script')
          : at(step.body, 'run');
        const found = foreignTextIn(document, step, textOf(field));
        return found === null ? [] : [onStep(document, step, uses ? 'with' : 'run', found, found)];
      }),
    matches: [
      workflow('run: echo "${{ github.event.issue.title }}"'),
      workflow('run: git checkout ${{ github.head_ref }}'),
      workflow("run: echo ${{ github['event']['issue'].title }}"),
      workflow("run: echo '${{ format('{0} by {1}', github.event.pull_request.title, github.actor) }}'"),
      workflow('run: echo ${{ toJSON(github.event.issue) }}'),
      workflow("run: echo ${{ github.event_name == 'push' && 'x' || github.head_ref }}"),
      workflow('run: echo ${{ env.TITLE }}\n        env:\n          TITLE: ${{ github.event.issue.title }}'),
      action('run: echo "${{ github.event.issue.title }}"'),
      workflow(
        'uses: actions/github-script@v7\n        with:\n          script: console.log("${{ github.event.comment.body }}")',
      ),
    ],
    misses: [
      workflow('run: echo "$TITLE"\n        env:\n          TITLE: ${{ github.event.issue.title }}'),
      workflow('run: echo ${{ github.sha }} ${{ github.event.issue.number }}'),
      workflow("run: echo ${{ contains(github.event.issue.title, 'x') }} ${{ github.head_ref == 'main' }}"),
      workflow("run: echo ${{ github.head_ref && 'branch' || 'tag' }} ${{ toJSON(github.event.repository.id) }}"),
      workflow('run: echo ${{ env.TITLE }}\n        env:\n          TITLE: ${{ github.event.issue.number }}'),
    ],
  }),
  rule({
    id: 'github-actions-foreign-checkout',
    title: 'Outsiders’ code runs with the repository’s secrets',
    severity: 'high',
    cwe: ['CWE-829', 'CWE-94'],
    knownAs: ['zizmor-dangerous-triggers', 'OWASP-CICD-SEC-4'],
    risk: '`pull_request_target` runs with secrets and a token that can write. With the pull request’s own code checked out, its author can run anything.',
    remediation: 'Use `pull_request`, or do not check out the pull request’s head.',
    find: (document) =>
      eventsOf(document).some((event) => event === 'pull_request_target' || event === 'workflow_run')
        ? stepsOf(document)
            .filter(
              ({ job, body }) =>
                !isForOtherEvents(textOf(at(document.value, 'jobs', job, 'if'))) &&
                !isForOtherEvents(textOf(at(body, 'if'))),
            )
            .flatMap((step) => foreignCheckout(document, step))
        : [],
    matches: [
      workflow(
        'uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}',
        'on: pull_request_target',
      ),
      workflow('run: gh pr checkout ${{ github.event.number }}', 'on: pull_request_target'),
      workflow(
        'run: git fetch origin pull/${{ github.event.number }}/head && git checkout FETCH_HEAD',
        'on: pull_request_target',
      ),
    ],
    misses: [
      workflow('run: gh pr checkout 4', 'on: pull_request'),
      workflow('run: git fetch origin main', 'on: pull_request_target'),
      workflow('uses: actions/checkout@v4', 'on: pull_request_target'),
      workflow(
        'uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}',
        'on: pull_request',
      ),
      workflow(
        'uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}',
        'on: [pull_request, pull_request_target]',
      ).replace('  build:\n', "  build:\n    if: github.event_name == 'pull_request'\n"),
    ],
  }),
  rule({
    id: 'github-actions-insecure-commands',
    title: 'Commands that were disabled as unsafe are enabled again',
    severity: 'high',
    cwe: ['CWE-77', 'CWE-74'],
    knownAs: ['CKV_GHA_1', 'zizmor-insecure-commands'],
    risk: 'Anything that writes to the log can set variables and the path for later steps.',
    remediation: 'Remove `ACTIONS_ALLOW_UNSECURE_COMMANDS` and write to `$GITHUB_ENV` and `$GITHUB_PATH`.',
    find: (document) => {
      const name = 'ACTIONS_ALLOW_UNSECURE_COMMANDS';
      const wide = [
        { path: ['env'], resource: 'workflow' },
        ...entriesOf(at(document.value, 'jobs')).map(([job]) => ({
          path: ['jobs', job, 'env'],
          resource: `job ${job}`,
        })),
      ];
      return [
        ...wide
          .filter(({ path }) => isTrue(at(document.value, ...path, name)))
          .map(({ path, resource }) => onPath(document, [...path, name], resource, `${name}: true`)),
        ...stepsOf(document)
          .filter(({ body }) => isTrue(at(body, 'env', name)))
          .map((step) => onStep(document, step, 'env', `${name}: true`)),
      ];
    },
    matches: [
      workflow('run: x', 'on: push\nenv:\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: true'),
      workflow('run: x\n        env:\n          ACTIONS_ALLOW_UNSECURE_COMMANDS: "true"'),
    ],
    misses: [workflow('run: x', 'on: push\nenv:\n  ACTIONS_ALLOW_UNSECURE_COMMANDS: false'), workflow('run: x')],
  }),
  rule({
    id: 'github-actions-pipe-to-shell',
    title: 'A script from the network is run without verification',
    severity: 'low',
    cwe: ['CWE-494', 'CWE-829'],
    knownAs: ['OWASP-CICD-SEC-3'],
    risk: 'The owner of that address runs commands with the job’s token and secrets.',
    remediation: 'Download it to a file, compare its SHA-256 with a pinned value, then run it.',
    find: (document) =>
      stepsOf(document).flatMap((step) => {
        const found =
          /\b(?:curl|wget)\b[^|;&\n]*https?:\/\/[^|;&\n]*\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:\/bin\/)?(?:ba|z|da)?sh\b/.exec(
            textOf(at(step.body, 'run')),
          );
        return found ? [onStep(document, step, 'run', found[0])] : [];
      }),
    matches: [workflow('run: curl -sSL https://example.com/install.sh | bash')],
    misses: [workflow('run: curl -sSL https://example.com/a.json | jq .')],
  }),
  rule({
    id: 'github-actions-secret-sent',
    title: 'A secret is sent with curl',
    severity: 'medium',
    cwe: ['CWE-522', 'CWE-201'],
    knownAs: ['CKV_GHA_3'],
    risk: 'The secret is visible on the command line of a process, and is sent unencrypted if the URL is http.',
    remediation: 'Send it over https, and read it from a variable instead of the expression.',
    find: (document) =>
      stepsOf(document).flatMap((step) => {
        const found =
          /\bcurl\b[^\n|;]*(?:\$\{\{\s*secrets\.\w+\s*\}\}[^\n|;]*\bhttp:\/\/|\bhttp:\/\/[^\n|;]*\$\{\{\s*secrets\.\w+)/.exec(
            textOf(at(step.body, 'run')),
          );
        return found ? [onStep(document, step, 'run', found[0])] : [];
      }),
    matches: [workflow('run: curl -d "${{ secrets.KEY }}" http://example.com/')],
    misses: [
      workflow('run: curl -H "Authorization:${{ secrets.KEY }}" https://example.com/'),
      workflow('run: curl http://example.com/'),
    ],
  }),
];
