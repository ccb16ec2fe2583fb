import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { load, loadAll } from 'js-yaml';

/** A file of a corpus, or a line of one, and whether it has a weakness. Lines count from 1. */
export type Sample = {
  title: string;
  path: string;
  text: string;
  line: number | null;
  harmful: boolean;
  /** The name of the weakness in other tools, if only that counts. */
  name?: string;
};

async function list(folder: string, pattern: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: folder })) paths.push(path);
  return paths.sort();
}

type NoseyRule = { id: string; categories?: string[]; examples?: string[]; negative_examples?: string[] };

/** Values that no scanner should report: documentation writes them. */
const placeholder =
  /example|x{6}|\*{4}|\.{3}|123456789|abcdefgh|(.)\1{7}|:secret@|\b(?:password|pwd)=(?:secret|mypassword)\b|\bpassword (["'])password\2/i;

/** Reads the examples of rules for secrets, without hashes of passwords and without placeholders. */
export async function readNoseyParker(folder: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const file of await list(folder, 'crates/*/data/default/builtin/rules/*.yml')) {
    const { rules } = load(await readFile(join(folder, file), 'utf8')) as { rules: NoseyRule[] };
    for (const { id, ...rule } of rules) {
      const [categories, examples, negatives] = [
        rule.categories ?? [],
        rule.examples ?? [],
        rule.negative_examples ?? [],
      ];
      const isSecret = categories.includes('secret') && !categories.includes('hashed');
      const add = (text: string, index: number, harmful: boolean) =>
        samples.push({
          title: `${id}: ${text.slice(0, 200).replaceAll('\n', '⏎')}`,
          path: `${id}/${harmful ? 'positive' : 'negative'}${index}.conf`,
          text,
          line: null,
          harmful,
        });
      if (isSecret) for (const [index, text] of examples.entries()) if (!placeholder.test(text)) add(text, index, true);
      for (const [index, text] of negatives.entries()) add(text, index, false);
    }
  }
  // A text without a secret of one kind may have one of another kind.
  const secrets = samples.filter(({ harmful }) => harmful).map(({ text }) => text.trim());
  return samples.filter(
    ({ harmful, text }) => harmful || !secrets.some((other) => other.includes(text.trim()) || text.includes(other)),
  );
}

/** Reads the samples of gosec: programs, and how many problems each has. Those that a comment silences are left out. */
export async function readGosec(folder: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const file of await list(folder, 'testutils/g*_samples.go')) {
    const source = await readFile(join(folder, file), 'utf8');
    const found = source.matchAll(/\{\[\]string\{((?:\s*`[^`]*`\s*,?)+)\}, (\d+),/g);
    for (const [index, [, texts = '', errors]] of [...found].entries()) {
      // A comment silences gosec there: the code is not harmless.
      if (errors === '0' && /#nosec|gosec:disable/.test(texts)) continue;
      samples.push({
        title: `${file} ${index}`,
        path: `${file.replace(/\W/g, '_').replace(/_samples_go$/, '')}/p${index}/main.go`,
        text: [...texts.matchAll(/`([^`]*)`/g)].map(([, text]) => text).join('\n'),
        line: null,
        harmful: errors !== '0',
      });
    }
  }
  return samples;
}

type SemgrepRule = { id: string; metadata?: { subcategory?: string | string[] } };

/** Half of the rules: measuring is worth something only on what the rules have not seen. */
const isInHalf = (id: string) => /^[0-7]/.test(createHash('sha256').update(id).digest('hex'));

/** Reads the marked lines of the test files of half of the rules that find vulnerabilities. */
export async function readSemgrep(folder: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  const files = await list(folder, '*/**/*');
  for (const file of files.filter((path) => /(?<!\.test)\.ya?ml$/.test(path))) {
    const ids = await idsOf(join(folder, file));
    if (ids.length === 0) continue;
    const stem = file.replace(/\.ya?ml$/, '');
    for (const test of files.filter((path) => isTestOf(path, file, stem))) {
      const text = await readFile(join(folder, test), 'utf8').catch(() => '');
      samples.push(...markedLines(test, text, ids));
    }
  }
  return samples;
}

/** Files with `.fixed` in their names repeat others as a tool would correct them, with the same marks. */
const isTestOf = (path: string, file: string, stem: string) =>
  path !== file && path.startsWith(`${stem}.`) && extname(path) !== '' && !/\.fixed\./.test(path);

async function idsOf(file: string): Promise<string[]> {
  const parsed = await readFile(file, 'utf8')
    .then((text) => load(text) as { rules?: SemgrepRule[] })
    .catch(() => null);
  return (Array.isArray(parsed?.rules) ? parsed.rules : [])
    .filter(({ id, metadata }) => [metadata?.subcategory].flat().includes('vuln') && isInHalf(id))
    .map(({ id }) => id);
}

function markedLines(path: string, text: string, ids: string[]): Sample[] {
  const lines = text.split('\n');
  // Folders of rules are named after languages and frameworks; `test` in a path would make a file a test.
  const at = path.replaceAll(/(^|\/)(?:tests?|examples?)(?=\/)/g, '$1files').replace(/\.(?:test|fixed)(?=\.)/, '');
  return lines.flatMap((line, index) => {
    const [, word, named = ''] = /\b(ruleid|ok)\s*:\s*([\w.,\s-]+)/.exec(line) ?? [];
    if (!word || !named.split(/[\s,]+/).some((id) => ids.includes(id))) return [];
    const next = lines.findIndex(
      (one, at) => at > index && one.trim() !== '' && !/\b(?:ruleid|ok|todook|todoruleid)\s*:/.test(one),
    );
    if (next < 0) return [];
    return [
      {
        title: `${path}:${next + 1} ${lines[next]!.trim().slice(0, 120)}`,
        path: at,
        text,
        line: next + 1,
        harmful: word === 'ruleid',
      },
    ];
  });
}

type Examples = Record<string, { good?: string[]; bad?: string[] }>;

const extensions: Record<string, string> = {
  terraform: 'main.tf',
  cloudformation: 'template.yaml',
  kubernetes: 'manifest.yaml',
  dockerfile: 'Dockerfile',
};

/** Reads the good and bad examples of Trivy's checks, each with the id of its check. */
export async function readTrivy(folder: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const file of await list(folder, 'checks/**/*.yaml')) {
    const stem = file.replace(/\.yaml$/, '');
    const check = await readFile(join(folder, `${stem}.rego`), 'utf8').catch(() => '');
    const [, name] = /\b(AVD-[A-Z]+-\d+)\b/.exec(check) ?? [];
    if (!name) continue;
    const documents = loadAll(await readFile(join(folder, file), 'utf8')) as Examples[];
    for (const [kind, given] of documents.flatMap((one) => Object.entries(one ?? {}))) {
      const extension = extensions[kind];
      if (!extension) continue;
      for (const word of ['good', 'bad'] as const)
        for (const [index, text] of (given?.[word] ?? []).entries()) {
          const title = `${name} ${file} ${kind} ${word} ${index}`;
          const path = `${stem}/${kind}-${word}${index}/${extension}`;
          samples.push({ title, path, text, line: null, harmful: word === 'bad', name });
        }
    }
  }
  return samples;
}
