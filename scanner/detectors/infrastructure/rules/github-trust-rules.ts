import type { Sight } from '../rule.ts';
import { at, entriesOf, isFalse, isRecord, textOf, textsOf } from '../value.ts';
import type { YamlDocument } from '../yaml-documents.ts';
import { expressionsIn } from './github-expressions.ts';
import {
  action,
  eventsOf,
  foreignVariables,
  onPath,
  onStep,
  rule,
  type Step,
  stepsOf,
  workflow,
} from './github-helpers.ts';

const usesOf = ({ body }: Step): string => textOf(at(body, 'uses'));
const runOf = ({ body }: Step): string => textOf(at(body, 'run'));
const jobsOf = (document: YamlDocument) => entriesOf(at(document.value, 'jobs'));

/** Paths that are the whole working copy, with the token in `.git/config`. */
const wholeCopy = /^(?:\.\/?|\*\*?(?:\/\*)?|\$\{\{\s*github\.workspace\s*\}\}\/?)$/;
const publishing =
  /\bnpm publish\b|\byarn (?:npm )?publish\b|\bpnpm publish\b|\btwine upload\b|\bcargo publish\b|\bgem push\b|\bgoreleaser\b|\bgh release (?:create|upload)\b|\bdocker push\b|\bmvn\b[^\n]*\bdeploy\b/;
const publishingActions =
  /^(?:pypa\/gh-action-pypi-publish|softprops\/action-gh-release|goreleaser\/goreleaser-action|ncipollo\/release-action|docker\/build-push-action|js-devtools\/npm-publish|actions\/create-release|actions\/upload-release-asset)@/i;

const isPublishing = (step: Step) => publishing.test(runOf(step)) || publishingActions.test(usesOf(step));

const usesCache = (step: Step): boolean => {
  const uses = usesOf(step);
  if (/^(?:actions\/cache(?:\/restore)?|swatinem\/rust-cache|gradle\/actions\/setup-gradle)@/i.test(uses)) return true;
  const cache = at(step.body, 'with', 'cache');
  return (
    /^(?:actions\/setup-(?:node|python|java|go)|ruby\/setup-ruby)@/.test(uses) &&
    textOf(cache) !== '' &&
    !isFalse(cache)
  );
};

const isForReleases = (document: YamlDocument): boolean =>
  eventsOf(document).includes('release') || at(document.value, 'on', 'push', 'tags') !== undefined;

const isFromOutside = (document: YamlDocument): boolean =>
  eventsOf(document).some((event) => /^(?:pull_request|pull_request_target|issue_comment|issues)$/.test(event));

const isMovable = (image: string): boolean =>
  image !== '' && !image.includes('${{') && !image.includes('@sha256:') && !/:(?!latest$)[\w.-]+$/.test(image);

/** The jobs of a workflow whose results outsiders may influence. */
export const githubTrustRules = [
  rule({
    id: 'github-actions-environment-injection',
    title: 'Outsiders control environment variables of later steps',
    severity: 'high',
    cwe: ['CWE-74', 'CWE-77'],
    knownAs: ['zizmor-github-env', 'OWASP-CICD-SEC-4'],
    risk: 'A line break in the text sets any variable, such as `NODE_OPTIONS` or `LD_PRELOAD`, and with it runs commands in later steps.',
    remediation: 'Pass the text to the steps that need it in their `env` instead of writing it to `$GITHUB_ENV`.',
    find: (document) =>
      stepsOf(document).flatMap((step) => {
        const names = foreignVariables(document, step);
        const line = runOf(step)
          .split('\n')
          .find(
            (text) =>
              /GITHUB_(?:ENV|PATH)\b/.test(text) &&
              names.some((name) => new RegExp(`\\$(?:\\{|env:)?${name}\\b`).test(text)),
          );
        return line === undefined ? [] : [onStep(document, step, 'run', line.trim())];
      }),
    matches: [
      workflow(
        'run: echo "TITLE=$TITLE" >> "$GITHUB_ENV"\n        env:\n          TITLE: ${{ github.event.pull_request.title }}',
      ),
    ],
    misses: [
      workflow('run: echo "SHA=$SHA" >> "$GITHUB_ENV"\n        env:\n          SHA: ${{ github.sha }}'),
      workflow(
        'run: echo "TITLE=$TITLE" >> "$GITHUB_OUTPUT"\n        env:\n          TITLE: ${{ github.event.pull_request.title }}',
      ),
    ],
  }),
  rule({
    id: 'github-actions-input-in-script',
    title: 'An input of the action is inserted into a script',
    severity: 'low',
    cwe: ['CWE-78', 'CWE-94'],
    knownAs: ['zizmor-template-injection'],
    risk: 'A workflow that passes the title of an issue or the name of a branch lets its author run commands.',
    remediation: 'Pass the input in `env` and use it as a quoted variable.',
    find: (document) =>
      stepsOf(document)
        .filter(({ job }) => job === '')
        .flatMap((step) => {
          const found = expressionsIn(runOf(step)).find(({ values }) =>
            values.some(({ path }) => path.startsWith('inputs.')),
          );
          return found ? [onStep(document, step, 'run', found.text, found.text)] : [];
        }),
    matches: [action('run: echo "${{ inputs.title }}"'), action("run: echo ${{ format('{0}', inputs['title']) }}")],
    misses: [
      action('run: echo "$TITLE"\n      env:\n        TITLE: ${{ inputs.title }}'),
      action("run: echo ${{ inputs.level == 'high' }}"),
    ],
  }),
  rule({
    id: 'github-actions-persisted-credentials',
    title: 'The job’s token is uploaded with the working copy',
    severity: 'high',
    cwe: ['CWE-522', 'CWE-200'],
    knownAs: ['zizmor-artipacked'],
    risk: 'Checkout keeps the token in `.git/config`, and everyone who can read the artifact can use it while the workflow runs.',
    remediation: 'Set `persist-credentials: false` for the checkout, and upload only the folders that are needed.',
    find: (document) => {
      const steps = stepsOf(document);
      const keeps = (job: string) =>
        steps.some(
          (step) =>
            step.job === job &&
            /^actions\/checkout@/.test(usesOf(step)) &&
            !isFalse(at(step.body, 'with', 'persist-credentials')) &&
            textOf(at(step.body, 'with', 'path')) === '',
        );
      return steps
        .filter(
          (step) =>
            /^actions\/upload-artifact@/.test(usesOf(step)) &&
            textOf(at(step.body, 'with', 'path'))
              .split('\n')
              .some((path) => wholeCopy.test(path.trim())) &&
            keeps(step.job),
        )
        .map((step) => onStep(document, step, 'with', `path: ${textOf(at(step.body, 'with', 'path'))}`));
    },
    matches: [
      workflow('uses: actions/checkout@v4\n      - uses: actions/upload-artifact@v4\n        with:\n          path: .'),
    ],
    misses: [
      workflow(
        'uses: actions/checkout@v4\n        with:\n          persist-credentials: false\n      - uses: actions/upload-artifact@v4\n        with:\n          path: .',
      ),
      workflow(
        'uses: actions/checkout@v4\n      - uses: actions/upload-artifact@v4\n        with:\n          path: dist',
      ),
    ],
  }),
  rule({
    id: 'github-actions-cache-poisoning',
    title: 'A release build uses a cache that other workflows can write',
    severity: 'low',
    cwe: ['CWE-349', 'CWE-829'],
    knownAs: ['zizmor-cache-poisoning'],
    risk: 'Anyone who can write the cache of the default branch, such as a compromised action, can change what is published.',
    remediation: 'Build releases without a cache.',
    find: (document) => {
      if (!isForReleases(document)) return [];
      const steps = stepsOf(document);
      return steps
        .filter((step) => usesCache(step) && steps.some((other) => other.job === step.job && isPublishing(other)))
        .map((step) => onStep(document, step, 'uses', usesOf(step)));
    },
    matches: [
      workflow('uses: actions/cache@v4\n      - run: npm publish', 'on: release'),
      workflow(
        'uses: actions/setup-node@v4\n        with:\n          cache: npm\n      - run: npm publish',
        'on:\n  push:\n    tags: [v*]',
      ),
    ],
    misses: [
      workflow('uses: actions/cache@v4\n      - run: npm test', 'on: release'),
      workflow('uses: actions/cache@v4\n      - run: npm publish', 'on: push'),
      workflow('uses: actions/setup-node@v4\n      - run: npm publish', 'on: release'),
    ],
  }),
  rule({
    id: 'github-actions-image-unpinned',
    title: 'A job runs in an image that is not pinned',
    severity: 'low',
    cwe: ['CWE-829', 'CWE-494'],
    knownAs: ['zizmor-unpinned-images'],
    risk: 'Anyone who can push the image can run commands with the job’s token and secrets.',
    remediation: 'Name a version, best with its digest (`image:1.2@sha256:…`).',
    find: (document) => [
      ...jobsOf(document).flatMap(([job, body]) => {
        const container = at(body, 'container');
        const own = isRecord(container) ? textOf(container.image) : textOf(container);
        const services = entriesOf(at(body, 'services')).map(([name, service]) => ({
          path: ['jobs', job, 'services', name],
          image: textOf(at(service, 'image')),
        }));
        return [{ path: ['jobs', job, 'container'], image: own }, ...services]
          .filter(({ image }) => isMovable(image))
          .map(({ path, image }): Sight => onPath(document, path, `job ${job} image ${image}`, `image: ${image}`));
      }),
      ...stepsOf(document)
        .filter((step) => usesOf(step).startsWith('docker://') && isMovable(usesOf(step).slice('docker://'.length)))
        .map((step) => onStep(document, step, 'uses', usesOf(step))),
    ],
    matches: [
      workflow('run: x').replace('    steps:', '    container: node:latest\n    steps:'),
      workflow('run: x').replace('    steps:', '    services:\n      db:\n        image: postgres\n    steps:'),
      workflow('uses: docker://alpine'),
    ],
    misses: [
      workflow('run: x').replace('    steps:', '    container: node:24.1\n    steps:'),
      workflow('run: x').replace('    steps:', '    container: ${{ matrix.image }}\n    steps:'),
      workflow('uses: docker://alpine:3.22'),
    ],
  }),
  rule({
    id: 'github-actions-self-hosted',
    title: 'Pull requests from outsiders run on a self-hosted runner',
    severity: 'medium',
    cwe: ['CWE-829', 'CWE-653'],
    knownAs: ['zizmor-self-hosted-runner'],
    risk: 'A runner that is not made anew for each job keeps what one job leaves behind: in a public repository, a pull request can take the machine over.',
    remediation: 'Run pull requests on GitHub’s runners, or on ones that are made anew for each job.',
    find: (document) =>
      isFromOutside(document)
        ? jobsOf(document)
            .filter(([, body]) => {
              const runner = at(body, 'runs-on');
              return textsOf(isRecord(runner) ? runner.labels : runner).includes('self-hosted');
            })
            .map(([job]) => onPath(document, ['jobs', job, 'runs-on'], `job ${job}`, 'runs-on: self-hosted'))
        : [],
    matches: [workflow('run: x', 'on: pull_request').replace('ubuntu-latest', '[self-hosted, linux]')],
    misses: [
      workflow('run: x', 'on: push').replace('ubuntu-latest', 'self-hosted'),
      workflow('run: x', 'on: pull_request'),
    ],
  }),
];
