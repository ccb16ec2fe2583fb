import { rulesOf } from '../rule.ts';
import { all, assignmentsOf, runsWith, sightOf } from './dockerfile-helpers.ts';

const rule = rulesOf('dockerfile', [
  'https://docs.docker.com/build/building/best-practices/',
  'https://cheatsheetseries.owasp.org/cheatsheets/Docker_Security_Cheat_Sheet.html',
]);
const run = (...commands: string[]) => commands.map((command) => `FROM a:1\nRUN ${command}\n`);
const unchecked = 'An attacker between the build and the server can put different content into the image.';

/** Options that make programs skip the verification of downloads. */
const switches: Array<{
  id: string;
  what: string;
  knownAs: string[];
  pattern: RegExp;
  matches: string[];
  misses: string[];
  instead: string;
}> = [
  {
    id: 'curl-insecure',
    what: 'curl does not check certificates',
    knownAs: ['CKV2_DOCKER_2'],
    pattern: /\bcurl\b[^|;&]*?\s(?:--insecure|--proxy-insecure|-[a-zA-Z]*k[a-zA-Z]*)(?=\s|$)/,
    matches: [
      'curl -k https://example.com/a',
      'curl -fsSLk https://example.com/a',
      'curl https://a.example --insecure',
    ],
    misses: [
      'curl -fsSL https://example.com/a',
      'curl https://example.com/a -o package-k',
      'curl --keepalive-time 5 https://a.example',
    ],
    instead: 'Remove the option; for a private authority, add its certificate to the image.',
  },
  {
    id: 'wget-insecure',
    what: 'wget does not check certificates',
    knownAs: ['CKV2_DOCKER_3'],
    pattern: /\bwget\b[^|;&]*\s--no-check-certificate\b/,
    matches: ['wget --no-check-certificate https://example.com/a'],
    misses: ['wget https://example.com/a'],
    instead: 'Remove the option; for a private authority, add its certificate to the image.',
  },
  {
    id: 'pip-trusted-host',
    what: 'pip does not check certificates',
    knownAs: ['CKV2_DOCKER_4'],
    pattern: /\bpip3?\b[^|;&]*\s--trusted-host\b/,
    matches: ['pip install --trusted-host a.example x'],
    misses: ['pip install x'],
    instead: 'Remove `--trusted-host`; point `PIP_CERT` at the authority’s certificate.',
  },
  {
    id: 'apt-unauthenticated',
    what: 'apt installs packages without a valid signature',
    knownAs: ['CKV2_DOCKER_8', 'CKV2_DOCKER_11'],
    pattern: /\bapt(?:-get)?\b[^|;&]*\s--(?:allow-unauthenticated|force-yes)\b/,
    matches: ['apt-get install -y --allow-unauthenticated x', 'apt-get --force-yes install x'],
    misses: ['apt-get install -y x'],
    instead: 'Remove the option and add the repository’s key with `signed-by`.',
  },
  {
    id: 'apk-untrusted',
    what: 'apk installs packages without a valid signature',
    knownAs: ['CKV2_DOCKER_7'],
    pattern: /\bapk\b[^|;&]*\s--allow-untrusted\b/,
    matches: ['apk add --allow-untrusted x.apk'],
    misses: ['apk add --no-cache x'],
    instead: 'Remove the option and add the packager’s key to `/etc/apk/keys`.',
  },
  {
    id: 'yum-nogpgcheck',
    what: 'yum or dnf installs packages without a valid signature',
    knownAs: ['CKV2_DOCKER_9'],
    pattern: /\b(?:yum|dnf|microdnf|tdnf)\b[^|;&]*\s--nogpgcheck\b/,
    matches: ['yum install -y --nogpgcheck x'],
    misses: ['dnf install -y x'],
    instead: 'Remove the option and import the repository’s key.',
  },
  {
    id: 'npm-insecure',
    what: 'npm does not check certificates',
    knownAs: ['CKV2_DOCKER_13'],
    pattern:
      /\bnpm\s+(?:config\s+)?set\s+strict-ssl[\s=]+false\b|\bnpm\b[^|;&]*\s--(?:no-strict-ssl|strict-ssl=false)\b/,
    matches: ['npm config set strict-ssl false', 'npm ci --strict-ssl=false'],
    misses: ['npm ci', 'npm config set strict-ssl true'],
    instead: 'Remove it; point `cafile` at the authority’s certificate.',
  },
  {
    id: 'git-insecure',
    what: 'git does not check certificates',
    knownAs: ['CKV2_DOCKER_14'],
    pattern: /\bhttp\.sslVerify[\s=]+["']?(?:false|0)\b|\bGIT_SSL_NO_VERIFY=(?:1|true)\b/i,
    matches: ['git config --global http.sslVerify false', 'git -c http.sslVerify=false clone https://a.example/b'],
    misses: ['git clone https://a.example/b'],
    instead: 'Remove it; point `http.sslCAInfo` at the authority’s certificate.',
  },
];

const insecureSettings =
  /^(?:NODE_TLS_REJECT_UNAUTHORIZED=0|PYTHONHTTPSVERIFY=0|NPM_CONFIG_STRICT_SSL=false|GIT_SSL_NO_VERIFY=(?:1|true)|PIP_TRUSTED_HOST=.+)$/i;

export const dockerfileRunRules = [
  ...switches.map(({ id, what, knownAs, pattern, matches, misses, instead }) =>
    rule({
      id: `dockerfile-${id}`,
      title: `In the build, ${what}`,
      severity: 'medium',
      knownAs,
      risk: unchecked,
      cwe: [/installs/.test(what) ? 'CWE-347' : 'CWE-295'],
      remediation: instead,
      find: runsWith(pattern),
      matches: run(...matches),
      misses: run(...misses),
    }),
  ),
  rule({
    id: 'dockerfile-tls-switched-off',
    title: 'A setting of the image disables certificate checks',
    severity: 'high',
    cwe: ['CWE-295'],
    knownAs: ['CKV2_DOCKER_5', 'CKV2_DOCKER_6', 'CKV2_DOCKER_12', 'CKV2_DOCKER_16'],
    risk: 'Every program in the container that honours it trusts an attacker between it and the server.',
    remediation: 'Remove it; point `NODE_EXTRA_CA_CERTS`, `PIP_CERT` or the like at the authority’s certificate.',
    find: ({ stages }) =>
      stages.flatMap((stage) =>
        all(stage, 'ENV').flatMap((instruction) =>
          assignmentsOf(instruction)
            .filter((assignment) => insecureSettings.test(assignment.join('=')))
            .map(([name]) => sightOf(stage, instruction, name)),
        ),
      ),
    matches: ['FROM a:1\nENV NODE_TLS_REJECT_UNAUTHORIZED=0\n', 'FROM a:1\nENV PYTHONHTTPSVERIFY 0\n'],
    misses: ['FROM a:1\nENV NODE_TLS_REJECT_UNAUTHORIZED=1\n', 'FROM a:1\nENV NODE_ENV=production\n'],
  }),
  rule({
    id: 'dockerfile-pipe-to-shell',
    title: 'A script from the network is run without verification',
    severity: 'medium',
    cwe: ['CWE-494', 'CWE-829'],
    knownAs: ['hadolint-DL4006'],
    risk: 'The owner of that address decides what runs in the build, and an interrupted download may run half a script.',
    remediation: 'Download it to a file, compare its SHA-256 with a pinned value, then run it.',
    find: runsWith(
      /\b(?:curl|wget)\b[^|;&]*https?:\/\/[^|;&]*\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:\/bin\/)?(?:ba|z|da|a)?sh\b/,
    ),
    matches: run(
      'curl -fsSL https://example.com/install.sh | bash',
      'wget -qO- https://example.com/i | sudo -E sh -s -- -b /x',
    ),
    misses: run(
      'curl -fsSL https://example.com/a.tgz | tar xz',
      'curl -o a.sh https://example.com/a.sh && sha256sum -c sums',
      'curl https://example.com/a | shasum',
    ),
  }),
  rule({
    id: 'dockerfile-sudo',
    title: 'sudo is used in the build',
    severity: 'low',
    cwe: ['CWE-250'],
    knownAs: ['CKV2_DOCKER_1', 'AVD-DS-0010'],
    risk: 'A program for becoming root stays in the image.',
    remediation: 'Switch to `USER root` for the steps that need it, and back afterwards.',
    find: runsWith(/(?:^|[;&|(]\s*)sudo\s+\S+/),
    matches: run('sudo apt-get update', 'true && sudo make install'),
    misses: run('apt-get install -y sudo', 'echo pseudo'),
  }),
  rule({
    id: 'dockerfile-update-alone',
    title: 'The package list is updated in a separate layer',
    severity: 'low',
    cwe: ['CWE-1104'],
    knownAs: ['CKV_DOCKER_5', 'AVD-DS-0017', 'CIS-Docker-4.7'],
    risk: 'The layer is cached: later builds install old packages with known vulnerabilities.',
    remediation: 'Update and install in one `RUN`.',
    find: ({ stages }) =>
      stages.flatMap((stage) =>
        all(stage, 'RUN')
          .filter(({ text }) => /^(?:apt-get|apt|yum|apk|dnf)\s+(?:-\S+\s+)*update(?:\s+-\S+)*\s*$/.test(text))
          .map((instruction) => sightOf(stage, instruction)),
      ),
    matches: run('apt-get update', 'apk update'),
    misses: run('apt-get update && apt-get install -y x', 'yum update -y x'),
  }),
  rule({
    id: 'dockerfile-password-set',
    title: 'A password is set in the build',
    severity: 'high',
    cwe: ['CWE-798', 'CWE-259'],
    knownAs: ['CKV2_DOCKER_17'],
    risk: 'The password is in the image’s history, and is the same for every container.',
    remediation: 'Set no password; log in with keys, or pass the password at run time.',
    find: (file) =>
      runsWith(/\bchpasswd\b|\b(?:echo|printf)\b[^;&]*\|\s*passwd\s+--stdin\b/)(file).map((sight) => ({
        ...sight,
        evidence: 'RUN … chpasswd',
      })),
    matches: run("echo 'root:toor' | chpasswd"),
    misses: run('passwd -d root', 'echo passwd'),
  }),
  rule({
    id: 'dockerfile-world-writable',
    title: 'Files are made writable for everyone',
    severity: 'low',
    cwe: ['CWE-732'],
    knownAs: ['CIS-Docker-4.8'],
    risk: 'Any user in the container can change what others run.',
    remediation: 'Give the files to the user that needs them (`COPY --chown`), with minimal permissions.',
    find: runsWith(/\bchmod\s+(?:-\S+\s+)*(?:0?777|a\+rwx|ugo\+rwx)\s+\S+/),
    matches: run('chmod -R 777 /app', 'chmod 0777 /data'),
    misses: run('chmod 755 /app', 'chmod 1777 /tmp'),
  }),
];
