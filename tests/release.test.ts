import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { load } from 'js-yaml';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'release-'));
after(() => rmSync(directory, { recursive: true, force: true }));

type Step = {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
};
type Workflow = {
  permissions?: Record<string, string>;
  jobs: Record<string, { steps: Step[]; permissions?: Record<string, string> }>;
};

const workflows = globSync('.github/workflows/*.{yml,yaml}', { cwd: root });
const stepsOf = (file: string) => Object.values((load(read(file)) as Workflow).jobs).flatMap(({ steps }) => steps);
const release = stepsOf('.github/workflows/release.yml');

function runScript(script: string, args: string[], path = process.env.PATH) {
  const env = { ...process.env, PATH: path };
  return spawnSync(process.execPath, [join(root, 'scripts', script), ...args], { cwd: root, encoding: 'utf8', env });
}

test('every action of a workflow is pinned by the full hash of a commit, with its version beside it', () => {
  assert.ok(workflows.length > 0);
  for (const file of workflows) {
    const uses = read(file)
      .split('\n')
      .filter((line) => /^\s*(- )?uses:/.test(line));
    assert.ok(uses.length > 0, file);
    for (const line of uses) assert.match(line, /uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
  }
});

test('a workflow has only the rights that its job lists, and passes no text of an event to a shell', () => {
  for (const file of workflows) {
    const { permissions, jobs } = load(read(file)) as Workflow;
    assert.deepEqual(permissions, {}, file);
    for (const [name, job] of Object.entries(jobs)) {
      assert.ok(job.permissions, `${file}: ${name}`);
      for (const { run = '' } of job.steps) assert.doesNotMatch(run, /\$\{\{/, `${file}: ${run}`);
    }
    const checkout = stepsOf(file).find(({ uses }) => uses?.startsWith('actions/checkout@'));
    assert.equal(checkout?.with?.['persist-credentials'], false, file);
  }
});

/** Returns the position of the first step that matches. */
function find(what: string, matches: (step: Step) => boolean): number {
  const at = release.findIndex(matches);
  assert.ok(at >= 0, `The release has no step that ${what}.`);
  return at;
}

const attests = ({ uses }: Step) => uses?.startsWith('actions/attest@') ?? false;

test('a release is tested, and has an SBOM, provenance and signatures of its image and files, by digest', () => {
  const digest = '${{ steps.image.outputs.digest }}';
  const order = [
    find('checks the base images', ({ run }) => /base-images\.mjs check/.test(run ?? '')),
    find('checks and tests', ({ run }) => run === '.ci/run'),
    find('writes the SBOM', ({ run }) => /write-sbom\.mjs release\/assay\.cdx\.json/.test(run ?? '')),
    find('packs the scanner', ({ run }) => /^npm pack --workspace @assay\/scanner /.test(run ?? '')),
    find('builds the image', ({ run }) => /docker buildx build[\s\S]*--push/.test(run ?? '')),
    find('attests the provenance of the image', (step) => {
      const { with: given = {} } = step;
      return attests(step) && given['subject-digest'] === digest && given['sbom-path'] === undefined;
    }),
    find('attests the SBOM of the image', (step) => {
      const { with: given = {} } = step;
      return attests(step) && given['subject-digest'] === digest && given['sbom-path'] === 'release/assay.cdx.json';
    }),
    find('signs the image', ({ run }) => run === 'cosign sign --yes "$IMAGE@$DIGEST"'),
    find('attests the files', (step) => attests(step) && step.with?.['subject-checksums'] === 'release/SHA256SUMS'),
    find('signs the files', ({ run }) => /^cosign sign-blob .*release\/SHA256SUMS$/.test(run ?? '')),
    find('publishes', ({ run }) => /gh release create/.test(run ?? '')),
  ];
  assert.deepEqual(
    order,
    order.toSorted((one, other) => one - other),
  );
  const { permissions } = (load(read('.github/workflows/release.yml')) as Workflow).jobs.release!;
  assert.deepEqual([permissions!['id-token'], permissions!.attestations], ['write', 'write']);
  for (const [, script] of release.map(({ run = '' }) => /node (scripts\/[\w-]+\.mjs)/.exec(run) ?? [])) {
    if (script) assert.ok(existsSync(join(root, script)), script);
  }
});

test('the image is built only from base images of deploy/images.env, which a release pins by digest', () => {
  const names = [...read('deploy/images.env').matchAll(/^([A-Z]+_IMAGE)=([^@\n]+)/gm)];
  const tags = Object.fromEntries(names.map(([, name, tag]) => [name, tag]));
  const dockerfile = read('deploy/Dockerfile');
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  assert.deepEqual([...new Set(bases)], ['${NODE_IMAGE}']);
  assert.match(dockerfile, new RegExp(`^ARG NODE_IMAGE=${tags.NODE_IMAGE}$`, 'm'));
  const build = release.find(({ run }) => /docker buildx build/.test(run ?? ''))!;
  assert.match(build.run!, /--build-arg "\$\(grep '\^NODE_IMAGE=' "\$RUNNER_TEMP\/images\.env"\)"/);
  const { services } = load(read('deploy/compose.yaml')) as { services: Record<string, { image: string }> };
  assert.equal(services.postgres!.image, `\${POSTGRES_IMAGE:-${tags.POSTGRES_IMAGE}}`);
  assert.equal(services.valkey!.image, `\${VALKEY_IMAGE:-${tags.VALKEY_IMAGE}}`);
});

test("a release is refused while a base image has no digest, and pinning writes the registry's digests", () => {
  const file = join(directory, 'images.env');
  writeFileSync(file, '# Kept.\nNODE_IMAGE=node:24-bookworm-slim\nPOSTGRES_IMAGE=postgres:17-bookworm\n');
  const loose = runScript('base-images.mjs', ['check', file]);
  assert.equal(loose.status, 1);
  assert.match(loose.stderr, /No digest of node:24-bookworm-slim, postgres:17-bookworm/);

  // The registry's response, as printed by docker.
  const docker = join(directory, 'docker');
  writeFileSync(docker, '#!/bin/sh\nprintf "%s" "$4" | sha256sum | sed "s/^/sha256:/; s/ .*//"\n', { mode: 0o755 });
  const path = `${directory}:${process.env.PATH}`;
  assert.equal(runScript('base-images.mjs', ['pin', file], path).status, 0);
  const pinned = readFileSync(file, 'utf8');
  assert.match(
    pinned,
    /^# Kept\.\nNODE_IMAGE=node:24-bookworm-slim@sha256:[0-9a-f]{64}\nPOSTGRES_IMAGE=postgres:17-bookworm@sha256:/,
  );
  const checked = runScript('base-images.mjs', ['check', file]);
  assert.deepEqual([checked.status, checked.stdout], [0, pinned.replace('# Kept.\n', '')]);

  writeFileSync(docker, '#!/bin/sh\necho "not found" >&2; exit 1\n', { mode: 0o755 });
  const failed = runScript('base-images.mjs', ['pin', file], path);
  assert.deepEqual([failed.status, readFileSync(file, 'utf8')], [1, pinned]);
  writeFileSync(file, 'NODE_IMAGE=node:24-bookworm-slim@sha256:short\n');
  assert.equal(runScript('base-images.mjs', ['check', file]).status, 1);
});

test('the SBOM of a release has every package that the image installs, and no development packages', () => {
  const file = join(directory, 'assay.cdx.json');
  const { status, stderr } = runScript('write-sbom.mjs', [file]);
  assert.equal(status, 0, stderr);
  const bom = JSON.parse(readFileSync(file, 'utf8')) as { bomFormat: string; components: Array<{ purl: string }> };
  assert.equal(bom.bomFormat, 'CycloneDX');
  const purls = new Set(bom.components.map(({ purl }) => decodeURIComponent(purl)));
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version?: string; dev?: boolean; devOptional?: boolean; name?: string }>;
  };
  const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  const purlOf = ([path, { name, version }]: (typeof installed)[number]) =>
    `pkg:npm/${name ?? path.split('node_modules/').at(-1)}@${version}`;
  const [development, shipped] = [true, false].map((isDev) =>
    installed.filter(([, entry]) => entry.version && Boolean(entry.dev || entry.devOptional) === isDev).map(purlOf),
  );
  assert.ok(shipped!.length > 300, `${shipped!.length}`);
  assert.deepEqual(
    shipped!.filter((purl) => !purls.has(purl)),
    [],
  );
  assert.deepEqual(
    development!.filter((purl) => purls.has(purl) && !shipped!.includes(purl)),
    [],
  );
});
