import type { Dockerfile } from '../dockerfile.ts';
import { rulesOf } from '../rule.ts';
import { all, assignmentsOf, lastStage, lineage, sightOf } from './dockerfile-helpers.ts';

const rule = rulesOf('dockerfile', [
  'https://docs.docker.com/build/building/best-practices/',
  'https://cheatsheetseries.owasp.org/cheatsheets/Docker_Security_Cheat_Sheet.html',
  'https://www.cisecurity.org/benchmark/docker',
]);

/** Returns the user that the image runs as: the last `USER` of the stage or of its bases. */
const lastUser = (file: Dockerfile) =>
  lineage(lastStage(file))
    .flatMap((stage) => all(stage, 'USER').map((instruction) => ({ stage, instruction })))
    .at(-1);
const isRoot = (user: string) => /^["']?(root|0)(:|["']?$)/i.test(user);
/** Names of base images that already run as another user. */
const isUnprivileged = (image: string) =>
  /unprivileged|nonroot|non-root|rootless|^mcr\.microsoft\.com\/.*-chiseled/i.test(image);

const isFloating = (image: string) =>
  image !== '' && image.toLowerCase() !== 'scratch' && !image.includes('@sha256:') && !image.includes('$');
const tagOf = (image: string) => /:([\w.-]+)$/.exec(image.slice(image.lastIndexOf('/') + 1))?.[1] ?? null;

const secretName = /(?:^|_)(?:PASSWORD|PASSWD|SECRET|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|TOKEN|CREDENTIALS?)$/i;

export const dockerfileRules = [
  rule({
    id: 'dockerfile-user-missing',
    title: 'The container runs as root: no USER is set',
    severity: 'medium',
    cwe: ['CWE-250', 'CWE-269'],
    knownAs: ['CKV_DOCKER_3', 'AVD-DS-0002', 'CIS-Docker-4.1'],
    risk: 'An attacker who takes over the program is root in the container, one kernel bug or mount mistake away from root on the host.',
    remediation: 'Create a user and switch to it with `USER` after the steps that need root.',
    find: (file) => {
      const stage = lastStage(file);
      const { image } = lineage(stage)[0]!;
      if (lastUser(file) || image.toLowerCase() === 'scratch' || image === '' || isUnprivileged(image)) return [];
      return [sightOf(stage, stage.instructions[0]!)];
    },
    matches: ['FROM alpine:3.20\nCMD ["sh"]\n', 'FROM a:1 AS build\nUSER app\nFROM b:1\nRUN x\n'],
    misses: [
      'FROM alpine:3.20\nUSER app\n',
      'FROM alpine:3.20 AS base\nUSER 1000\nFROM base\nCMD x\n',
      'FROM scratch\nCOPY a /a\n',
      'FROM gcr.io/distroless/static:nonroot\nCOPY a /a\n',
    ],
  }),
  rule({
    id: 'dockerfile-user-root',
    title: 'The container runs as root: the last USER is root',
    severity: 'high',
    cwe: ['CWE-250'],
    knownAs: ['CKV_DOCKER_8', 'AVD-DS-0002', 'CIS-Docker-4.1'],
    risk: 'An attacker who takes over the program is root in the container, one kernel bug or mount mistake away from root on the host.',
    remediation: 'Switch back to an unprivileged user with `USER` after the steps that need root.',
    find: (file) => {
      const last = lastUser(file);
      return last && isRoot(last.instruction.text) ? [sightOf(last.stage, last.instruction)] : [];
    },
    matches: ['FROM a:1\nUSER root\nCMD x\n', 'FROM a:1\nUSER app\nRUN x\nUSER 0:0\n'],
    misses: ['FROM a:1\nUSER root\nRUN x\nUSER app\n', 'FROM a:1\nUSER 1000:0\n', 'FROM a:1\nUSER rooty\n'],
  }),
  rule({
    id: 'dockerfile-base-latest',
    title: 'The base image has no fixed version',
    severity: 'low',
    cwe: ['CWE-1357', 'CWE-829'],
    knownAs: ['CKV_DOCKER_7', 'AVD-DS-0001'],
    risk: 'Every build may start from a different image, so the result is neither known nor reproducible.',
    remediation: 'Name a version, preferably with its digest: `FROM alpine:3.20@sha256:…`.',
    find: ({ stages }) =>
      stages
        .filter(({ image, base }) => !base && isFloating(image) && (tagOf(image) ?? 'latest') === 'latest')
        .map((stage) => sightOf(stage, stage.instructions[0]!)),
    matches: ['FROM node\n', 'FROM localhost:5000/node:latest\n', 'ARG V=latest\nFROM node:${V}\n'],
    misses: [
      'FROM node:20\n',
      'FROM node@sha256:0000000000000000000000000000000000000000000000000000000000000000\n',
      'FROM node:20 AS build\nFROM build\n',
      'FROM scratch\n',
      'ARG IMAGE\nFROM $IMAGE\n',
    ],
  }),
  rule({
    id: 'dockerfile-secret-in-env',
    title: 'A secret is set in the image',
    severity: 'high',
    cwe: ['CWE-522', 'CWE-538'],
    knownAs: ['AVD-DS-0031', 'CIS-Docker-4.10'],
    risk: 'Values of ENV and ARG remain in the image’s history: anyone who can pull the image can read them.',
    remediation:
      'Mount secrets for the build (`RUN --mount=type=secret`), or pass them at run time. Rotate exposed values.',
    find: ({ stages }) =>
      stages.flatMap((stage) =>
        [...all(stage, 'ENV'), ...all(stage, 'ARG')].flatMap((instruction) =>
          assignmentsOf(instruction)
            .filter(
              ([name, value]) =>
                secretName.test(name) &&
                value !== '' &&
                !/^\$|^(changeme|none|null|false|true|dummy|example)$|^<|^\/run\/secrets/i.test(value),
            )
            .map(([name]) => ({ ...sightOf(stage, instruction, name), evidence: `${instruction.keyword} ${name}=…` })),
        ),
      ),
    matches: ['FROM a:1\nENV DB_PASSWORD=hunter22\n', 'FROM a:1\nARG NPM_TOKEN=abc\n', 'FROM a:1\nENV API_KEY abc\n'],
    misses: ['FROM a:1\nARG NPM_TOKEN\n', 'FROM a:1\nENV DB_PASSWORD=$PASSWORD\n', 'FROM a:1\nENV TOKEN_FILE=/x\n'],
  }),
  rule({
    id: 'dockerfile-add-remote',
    title: 'ADD downloads a file without verifying it',
    severity: 'medium',
    cwe: ['CWE-494', 'CWE-829'],
    knownAs: ['CKV_DOCKER_4', 'AVD-DS-0005', 'CIS-Docker-4.9'],
    risk: 'The owner of that address decides what is in the image.',
    remediation: 'State the expected checksum (`ADD --checksum=sha256:…`), or download and verify the file in a RUN.',
    find: ({ stages }) =>
      stages.flatMap((stage) =>
        all(stage, 'ADD')
          .filter(
            ({ words, flags }) => words.slice(0, -1).some((word) => /^https?:\/\//i.test(word)) && !flags.checksum,
          )
          .map((instruction) => sightOf(stage, instruction, instruction.words[0])),
      ),
    matches: ['FROM a:1\nADD https://example.com/a.tar.gz /a/\n'],
    misses: ['FROM a:1\nADD --checksum=sha256:00 https://example.com/a /a\n', 'FROM a:1\nADD a.tar.gz /a\n'],
  }),
  rule({
    id: 'dockerfile-add-local',
    title: 'ADD is used where COPY is enough',
    severity: 'info',
    cwe: ['CWE-1104'],
    knownAs: ['CKV_DOCKER_4', 'AVD-DS-0005', 'CIS-Docker-4.9'],
    risk: 'ADD unpacks archives and downloads URLs, which is unexpected for a copy.',
    remediation: 'Use COPY for files of the build context.',
    find: ({ stages }) =>
      stages.flatMap((stage) =>
        all(stage, 'ADD')
          .filter(
            ({ words }) =>
              words.length > 1 &&
              words.slice(0, -1).every((word) => !/:\/\/|^git@|\$|<<|\.(tar|tgz|gz|bz2|xz|zst|zip)\b/i.test(word)),
          )
          .map((instruction) => sightOf(stage, instruction, instruction.words[0])),
      ),
    matches: ['FROM a:1\nADD . /app\n'],
    misses: ['FROM a:1\nADD a.tar.gz /a\n', 'FROM a:1\nCOPY . /app\n', 'FROM a:1\nADD https://example.com/a /a\n'],
  }),
  rule({
    id: 'dockerfile-ssh-port',
    title: 'The SSH port is exposed',
    severity: 'medium',
    cwe: ['CWE-284'],
    knownAs: ['CKV_DOCKER_1', 'AVD-DS-0004', 'CIS-Docker-5.6'],
    risk: 'An SSH server in a container is another way in, with its own keys and passwords.',
    remediation: 'Remove SSH; use `docker exec` or `kubectl exec` instead.',
    find: ({ stages }) =>
      stages.flatMap((stage) =>
        all(stage, 'EXPOSE')
          .filter(({ words }) => words.some((word) => /^22(\/tcp)?$/i.test(word)))
          .map((instruction) => sightOf(stage, instruction, '22')),
      ),
    matches: ['FROM a:1\nEXPOSE 80 22\n', 'FROM a:1\nEXPOSE 22/tcp\n'],
    misses: ['FROM a:1\nEXPOSE 2222\n', 'FROM a:1\nEXPOSE 80\n'],
  }),
  rule({
    id: 'dockerfile-healthcheck-missing',
    title: 'The image has no HEALTHCHECK',
    severity: 'info',
    cwe: ['CWE-778'],
    knownAs: ['CKV_DOCKER_2', 'AVD-DS-0026', 'CIS-Docker-4.6'],
    risk: 'Docker does not notice when the program hangs. (Kubernetes has probes of its own and ignores it.)',
    remediation: 'Add a `HEALTHCHECK` with a command that queries the program.',
    find: (file) => {
      const stage = lastStage(file);
      const isService = all(stage, 'EXPOSE').length > 0;
      return isService && lineage(stage).every((ancestor) => all(ancestor, 'HEALTHCHECK').length === 0)
        ? [sightOf(stage, stage.instructions[0]!)]
        : [];
    },
    matches: ['FROM a:1\nEXPOSE 80\nCMD x\n'],
    misses: ['FROM a:1\nEXPOSE 80\nHEALTHCHECK CMD x\n', 'FROM a:1\nCMD x\n'],
  }),
  rule({
    id: 'dockerfile-workdir-relative',
    title: 'WORKDIR is relative',
    severity: 'info',
    cwe: ['CWE-426'],
    knownAs: ['CKV_DOCKER_10', 'AVD-DS-0009'],
    risk: 'The directory in which commands run depends on the base image.',
    remediation: 'Write the absolute path, starting with `/`.',
    find: ({ stages }) =>
      stages.flatMap((stage) => {
        // After an absolute path in the same stage, the directory is known.
        const [first] = all(stage, 'WORKDIR');
        return first && !stage.base && !/^["']?(\/|\$|[a-z]:[\\/])/i.test(first.text)
          ? [sightOf(stage, first, first.text)]
          : [];
      }),
    matches: ['FROM a:1\nWORKDIR app\n'],
    misses: ['FROM a:1\nWORKDIR /app\nWORKDIR sub\n', 'FROM a:1\nWORKDIR $HOME\n', 'FROM a:1\nWORKDIR "C:\\\\app"\n'],
  }),
];
