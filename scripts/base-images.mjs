// Pins the base images of a release by digest, in deploy/images.env.
//   node scripts/base-images.mjs pin     requests the tags' digests from the registries, through docker, and writes them
//   node scripts/base-images.mjs check   fails unless every image has a digest, and prints the digests
// An optional file argument is used instead of deploy/images.env.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [action, file = fileURLToPath(new URL('../deploy/images.env', import.meta.url))] = process.argv.slice(2);
const imageLine = /^([A-Z]+_IMAGE)=([a-z0-9][a-z0-9._/-]*:[\w.-]+)(?:@(sha256:[0-9a-f]{64}))?$/;

const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
const images = lines.flatMap((line) => {
  if (line === '' || line.startsWith('#')) return [];
  const [, name, tag, digest] = imageLine.exec(line) ?? [];
  if (!name) throw new Error(`${file}: "${line}" must be NAME_IMAGE=image:tag, with @sha256:… once it is pinned.`);
  return [{ name, tag, digest }];
});

/** Returns the digest of the image index of a tag, which covers all platforms. */
function findDigest(tag) {
  const args = ['buildx', 'imagetools', 'inspect', tag, '--format', '{{.Manifest.Digest}}'];
  const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8' });
  const digest = stdout?.trim() ?? '';
  if (status !== 0 || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new Error(`docker found no digest of ${tag}: ${error?.message ?? (stderr.trim() || digest)}`);
  }
  return digest;
}

function pin() {
  const pinned = new Map(images.map(({ name, tag }) => [name, `${name}=${tag}@${findDigest(tag)}`]));
  writeFileSync(file, `${lines.map((line) => pinned.get(line.split('=')[0]) ?? line).join('\n')}\n`);
}

function check() {
  const loose = images.filter(({ digest }) => digest === undefined).map(({ tag }) => tag);
  if (images.length === 0 || loose.length > 0) {
    throw new Error(
      `No digest of ${loose.join(', ') || 'any image'}. Run "node scripts/base-images.mjs pin", and commit ${file}.`,
    );
  }
  for (const { name, tag, digest } of images) console.log(`${name}=${tag}@${digest}`);
}

const actions = { pin, check };
try {
  if (!Object.hasOwn(actions, action)) throw new Error('Use "pin" or "check".');
  actions[action]();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
