import { rulesOf, type Sight } from '../rule.ts';
import { at, entriesOf, isTrue, listOf, type Path, textOf, textsOf, type Value } from '../value.ts';
import type { YamlDocument } from '../yaml-documents.ts';

const rule = rulesOf('compose', [
  'https://docs.docker.com/reference/compose-file/services/',
  'https://cheatsheetseries.owasp.org/cheatsheets/Docker_Security_Cheat_Sheet.html',
  'https://www.cisecurity.org/benchmark/docker',
]);
const service = (settings: string) => `services:\n  web:\n    image: example.com/web:1.2\n    ${settings}\n`;

type Look = (body: Value) => Array<{ path: Path; evidence: string; key?: string }>;

const perService =
  (look: Look) =>
  (document: YamlDocument): Sight[] =>
    entriesOf(at(document.value, 'services')).flatMap(([name, body]) =>
      look(body).map(({ path, evidence, key }) => ({
        resource: `service ${name}${key ? ` ${key}` : ''}`,
        evidence: evidence.slice(0, 300),
        ...document.linesOf(['services', name, ...path]),
      })),
    );

const isValue =
  (field: string, pattern: RegExp): Look =>
  (body) => {
    const value = textOf(at(body, field));
    return pattern.test(value) ? [{ path: [field], evidence: `${field}: ${value}` }] : [];
  };

/** Returns a volume's path on the host; '' for volumes that Docker manages. */
function sourceOf(volume: Value): string {
  const source = typeof volume === 'string' ? volume.split(':')[0]! : textOf(at(volume, 'source'));
  return source.length > 1 ? source.replace(/\/+$/, '') : source;
}
const mounts =
  (pattern: RegExp): Look =>
  (body) =>
    listOf(at(body, 'volumes')).flatMap((volume, index) => {
      const source = sourceOf(volume);
      return pattern.test(source) ? [{ path: ['volumes', index], evidence: `mounts ${source}`, key: source }] : [];
    });

const grave = /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|NET_ADMIN|DAC_READ_SEARCH|BPF|SYS_BOOT)$/i;
const secretName =
  /(?:^|_)(?:PASSWORD|PASSWD|SECRET|API_?KEY|SECRET_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH_TOKEN|ACCESS_TOKEN)$/i;

/** Returns the names and values of `environment`, a list of `NAME=value` or a mapping. */
function environmentOf(body: Value): Array<{ name: string; value: string; path: Path }> {
  const environment = at(body, 'environment');
  if (!Array.isArray(environment)) {
    return entriesOf(environment).map(([name, value]) => ({ name, value: textOf(value), path: ['environment', name] }));
  }
  return environment.map((entry, index) => {
    const [name = '', ...value] = textOf(entry).split('=');
    return { name, value: value.join('='), path: ['environment', index] };
  });
}

/** Ports of databases and consoles that often accept anyone who can connect. */
const dataPorts = new Set(['3306', '5432', '6379', '27017', '9200', '11211', '2375', '5984', '9042', '1433']);
function openPort(port: Value): string | null {
  if (typeof port !== 'string') {
    const [published, address] = [textOf(at(port, 'published')), textOf(at(port, 'host_ip'))];
    return published && !/^(127\.|::1)/.test(address) && dataPorts.has(textOf(at(port, 'target')))
      ? `${published}:${textOf(at(port, 'target'))}`
      : null;
  }
  const found = /^(?:(\[[^\]]+\]|[\d.]+):)?([\d-]*):(\d+)(?:\/tcp)?$/.exec(port);
  if (!found || !dataPorts.has(found[3]!)) return null;
  return /^(127\.|\[::1\])/.test(found[1] ?? '') ? null : port;
}

export const composeRules = [
  rule({
    id: 'compose-privileged',
    title: 'A service runs in privileged mode',
    severity: 'high',
    cwe: ['CWE-250'],
    knownAs: ['CIS-Docker-5.5', 'KICS-privileged-containers-enabled'],
    risk: 'The service can do everything on the host that root can.',
    remediation: 'Remove `privileged: true`; add only the capability or device that the service needs.',
    find: perService((body) =>
      isTrue(at(body, 'privileged')) ? [{ path: ['privileged'], evidence: 'privileged: true' }] : [],
    ),
    matches: [
      service('privileged: true'),
      'x-base: &base\n  privileged: true\nservices:\n  web:\n    <<: *base\n    image: a:1\n',
    ],
    misses: [service('privileged: false'), service('restart: always')],
  }),
  rule({
    id: 'compose-docker-socket',
    title: 'A service mounts Docker’s socket',
    severity: 'high',
    cwe: ['CWE-250', 'CWE-668'],
    knownAs: ['CIS-Docker-5.32', 'KICS-docker-socket-mounted'],
    risk: 'Anyone with access to the socket can start a container that controls the host; mounting it read-only does not help.',
    remediation: 'Remove the mount, or put a proxy in front of the socket that allows only the needed calls.',
    find: perService(mounts(/^(?:\/var)?\/run\/(?:docker|podman\/podman|containerd\/containerd)\.sock$/)),
    matches: [
      service('volumes: ["/var/run/docker.sock:/var/run/docker.sock:ro"]'),
      service('volumes: [{ type: bind, source: /var/run/docker.sock, target: /s }]'),
    ],
    misses: [service('volumes: ["data:/data"]'), service('volumes: ["./run/docker.sock.md:/x"]')],
  }),
  rule({
    id: 'compose-host-path',
    title: 'A service mounts a sensitive host directory',
    severity: 'high',
    cwe: ['CWE-668', 'CWE-552'],
    knownAs: ['CIS-Docker-5.6', 'KICS-volume-has-sensitive-host-directory'],
    risk: 'The container can read or change keys, other users’ data or the host’s own programs.',
    remediation: 'Mount only the file or directory that the service needs, read-only if possible.',
    find: perService(mounts(/^\/(?:etc|root|proc|sys|dev|boot|usr|lib|var|var\/lib|var\/lib\/docker|home)?$/)),
    matches: [service('volumes: ["/:/host"]'), service('volumes: ["/etc/:/host/etc:ro"]')],
    misses: [service('volumes: ["/etc/localtime:/etc/localtime:ro"]'), service('volumes: ["./etc:/etc/app"]')],
  }),
  rule({
    id: 'compose-host-network',
    title: 'A service shares the host’s network',
    severity: 'medium',
    cwe: ['CWE-653'],
    knownAs: ['CIS-Docker-5.10', 'KICS-shared-host-network-namespace'],
    risk: 'The service reaches ports that listen only on the host, and every port that it opens is exposed.',
    remediation: 'Use a network of the project and publish only the ports that are needed.',
    find: perService(isValue('network_mode', /^host$/)),
    matches: [service('network_mode: host')],
    misses: [service('network_mode: bridge')],
  }),
  rule({
    id: 'compose-host-pid',
    title: 'A service shares the host’s processes',
    severity: 'high',
    cwe: ['CWE-653'],
    knownAs: ['CIS-Docker-5.16'],
    risk: 'The service sees the host’s processes and their environment, and can stop them as root.',
    remediation: 'Remove `pid: host`.',
    find: perService(isValue('pid', /^host$/)),
    matches: [service('pid: host')],
    misses: [service('pid: "service:db"')],
  }),
  rule({
    id: 'compose-host-ipc',
    title: 'A service shares the host’s memory segments',
    severity: 'medium',
    cwe: ['CWE-653'],
    knownAs: ['CIS-Docker-5.17'],
    risk: 'The service can read and change memory that processes of the host share.',
    remediation: 'Remove `ipc: host`; set `shm_size` if the service needs more shared memory.',
    find: perService(isValue('ipc', /^host$/)),
    matches: [service('ipc: host')],
    misses: [service('ipc: private')],
  }),
  rule({
    id: 'compose-grave-capability',
    title: 'A service has a capability that allows a container escape',
    severity: 'high',
    cwe: ['CWE-250'],
    knownAs: ['CIS-Docker-5.4'],
    risk: 'An attacker who takes over the program can use it to change the host or intercept other traffic.',
    remediation: 'Drop ALL capabilities and add only those that the program needs.',
    find: perService((body) =>
      textsOf(at(body, 'cap_add'))
        .filter((name) => grave.test(name))
        .map((name) => ({ path: ['cap_add'], evidence: `adds ${name}`, key: name })),
    ),
    matches: [service('cap_add: [SYS_ADMIN]')],
    misses: [service('cap_add: [NET_BIND_SERVICE]'), service('cap_drop: [ALL]')],
  }),
  rule({
    id: 'compose-unconfined',
    title: 'A service’s security profile is disabled',
    severity: 'medium',
    cwe: ['CWE-693'],
    knownAs: ['CIS-Docker-5.22', 'CIS-Docker-5.2'],
    risk: 'More kernel vulnerabilities can be exploited from the container.',
    remediation: 'Remove `seccomp:unconfined`, `apparmor:unconfined` and `label:disable`.',
    find: perService((body) =>
      textsOf(at(body, 'security_opt'))
        .filter((option) => /^(?:(?:seccomp|apparmor)[:=]unconfined|label[:=]disable)$/.test(option))
        .map((option) => ({ path: ['security_opt'], evidence: option, key: option })),
    ),
    matches: [service('security_opt: ["seccomp:unconfined"]'), service('security_opt: [apparmor=unconfined]')],
    misses: [service('security_opt: ["no-new-privileges:true"]')],
  }),
  rule({
    id: 'compose-user-root',
    title: 'A service is configured to run as root',
    severity: 'medium',
    cwe: ['CWE-250'],
    knownAs: ['CIS-Docker-4.1'],
    risk: 'An attacker who takes over the program is root in the container, one kernel bug or mount mistake away from root on the host.',
    remediation: 'Remove `user` if the image sets its own, or name an unprivileged user.',
    find: perService(isValue('user', /^(?:root|0)(?::|$)/)),
    matches: [service('user: root'), service('user: "0:0"')],
    misses: [service('user: "1000:1000"'), service('user: rooty')],
  }),
  rule({
    id: 'compose-secret-in-environment',
    title: 'A Compose file contains a secret',
    severity: 'medium',
    cwe: ['CWE-798', 'CWE-312'],
    knownAs: ['KICS-passwords-and-secrets'],
    risk: 'Anyone who can read the repository can read the secret.',
    remediation: 'Take it from a variable (`${DB_PASSWORD:?}`) or from `secrets`, and rotate the exposed value.',
    find: perService((body) =>
      environmentOf(body)
        .filter(
          ({ name, value }) =>
            secretName.test(name) &&
            value !== '' &&
            !/\$|[<>]|^(?:changeme|true|false|none|null|example|dummy|\/.*)$/i.test(value),
        )
        .map(({ name, path }) => ({ path, evidence: `${name}=…`, key: name })),
    ),
    matches: [service('environment: ["DB_PASSWORD=hunter22"]'), service('environment: { DB_PASSWORD: hunter22 }')],
    misses: [
      service('environment: ["DB_PASSWORD"]'),
      service('environment: { DB_PASSWORD: "${DB_PASSWORD}" }'),
      service('environment: { DB_PASSWORD_FILE: /run/secrets/x }'),
    ],
  }),
  rule({
    id: 'compose-open-database',
    title: 'A database port is published on every address of the host',
    severity: 'medium',
    cwe: ['CWE-668', 'CWE-284'],
    knownAs: ['CIS-Docker-5.14', 'KICS-container-traffic-not-bound-to-host-interface'],
    risk: 'Docker’s published ports bypass the host’s firewall: anyone who reaches the host reaches the database.',
    remediation:
      'Remove `ports` (services of one project reach each other), or publish for the host only: `127.0.0.1:5432:5432`.',
    find: perService((body) =>
      listOf(at(body, 'ports')).flatMap((port, index) => {
        const open = openPort(port);
        return open ? [{ path: ['ports', index], evidence: `ports: ${open}`, key: open }] : [];
      }),
    ),
    matches: [
      service('ports: ["5432:5432"]'),
      service('ports: ["0.0.0.0:6379:6379"]'),
      service('ports: [{ target: 3306, published: 3306 }]'),
    ],
    misses: [service('ports: ["127.0.0.1:5432:5432"]'), service('ports: ["8080:80"]'), service('expose: [5432]')],
  }),
];
