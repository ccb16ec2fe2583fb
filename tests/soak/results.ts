import { execFileSync } from 'node:child_process';
import { sample } from '../../scanner/detectors/secrets/sample.ts';

/** Returns a SARIF file with a result in each of the numbered files. */
export function sarif(tool: string, numbers: Iterable<number>): string {
  const results = [...numbers].map((number) => ({
    ruleId: `rule-${number % 20}`,
    level: (['error', 'warning', 'note'] as const)[number % 3],
    message: { text: `Result ${number} of ${tool}` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: pathOf(number) }, region: { startLine: 1 + (number % 90) } } },
    ],
  }));
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: tool } }, results }] });
}

export const pathOf = (number: number): string => `src/file-${number}.ts`;

/** Returns `length` numbers from `start`, modulo `count`. */
export const windowOf = (start: number, length: number, count: number): number[] =>
  Array.from({ length }, (_, n) => (start + n) % count);

/** Creates a repository whose scan takes some seconds. Returns the paths that contain a secret. */
export function createRepository(directory: string, commits: number): string[] {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', directory]);
  const filler = Array.from(
    { length: 300 },
    (_, n) => `const token_${n} = load("${sample('a-z', 40, `${n}`)}"); // key`,
  );
  const lines: string[] = [];
  const paths: string[] = [];
  for (let n = 0; n < commits; n++) {
    const path = pathOf(n);
    const isSecret = n % 10 === 0;
    if (isSecret) paths.push(path);
    const secret = isSecret ? `STRIPE_KEY=sk_${'live'}_${sample('0-9A-Za-z', 24, `soak ${n}`)}` : '';
    const content = `${n}\n${filler.map((line) => line.replace('load', `load${n}`)).join('\n')}\n${secret}\n`;
    lines.push('commit refs/heads/main', `committer A <a@example.com> ${1_700_000_000 + n} +0000`, 'data 1', 'x');
    lines.push(`M 100644 inline ${path}`, `data ${Buffer.byteLength(content)}`, content);
  }
  execFileSync('git', ['-C', directory, 'fast-import', '--quiet'], { input: `${lines.join('\n')}\n`, maxBuffer: 1e9 });
  return paths;
}
