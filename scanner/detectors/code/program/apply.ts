import { redactTexts } from '../../secrets/redact-text.ts';
import type { FileResult } from '../file-result.ts';
import type { LanguageName } from '../languages/language.ts';
import type { CodeHit, CodeRule } from '../rule.ts';
import { type Ask, askProgram } from './ask.ts';
import { type Linked, linkProgram } from './link.ts';
import { isFollowed } from './names.ts';
import { Program } from './program.ts';

/** A file of a scan with its result. */
export type CheckedFile = { path: string; language: LanguageName; result: FileResult };

/**
 * `hits`: those of the files whose hits depend on other files, by path, without those that other files make harmless,
 * and with those that only other files show. `unsure`: the files with hits that may be missing because another file
 * could not be read this time.
 */
export type ProgramHits = { hits: Map<string, CodeHit[]>; unsure: string[] };

/** Follows input across files. `ask` reads files again. */
export async function hitsOfProgram(
  files: readonly CheckedFile[],
  rules: ReadonlyMap<string, CodeRule>,
  ask: Ask,
): Promise<ProgramHits> {
  const program = new Program(
    files.flatMap(({ path, language, result }) =>
      'hits' in result && result.summary ? [{ path, language, summary: result.summary }] : [],
    ),
  );
  const isAnswered = await askProgram(program, ask);
  const linked = linkProgram(program, rules);
  const told = new Set(
    files.flatMap(({ path, result }) =>
      'hits' in result ? result.hits.map(({ rule, startLine }) => placeOf(rule, path, startLine)) : [],
    ),
  );
  const hits = new Map<string, CodeHit[]>();
  for (const { path, result } of files) {
    const own = linked.get(path);
    if (own && 'hits' in result) hits.set(path, hitsOf(path, result.hits, own, told));
  }
  return { hits, unsure: isAnswered && !files.some(isFailure) ? [] : [...linked.keys()] };
}

/** A file beyond the maximum size is never read: no earlier scan followed input through it. */
const isFailure = ({ language, result }: CheckedFile) =>
  'problem' in result && result.problem !== 'size' && isFollowed(language);

const placeOf = (rule: string, path: string, line: number) => `${rule} ${path} ${line}`;

function hitsOf(
  path: string,
  hits: readonly CodeHit[],
  { reached, refuted, added }: Linked,
  told: ReadonlySet<string>,
): CodeHit[] {
  const kept = hits.flatMap((hit, number): CodeHit[] => {
    if (refuted.has(number)) return [];
    const found = reached.get(number);
    if (!found) return [hit];
    return [withoutSecrets({ ...hit, flow: found.steps, confidence: found.isProven ? 'high' : 'medium' }, path)];
  });
  // `query(sql)` of another file adds nothing if the place that builds the SQL is reported.
  const further = added.filter(
    ({ rule, flow = [] }) => !flow.slice(0, -1).some((step) => told.has(placeOf(rule, step.path ?? path, step.line))),
  );
  return [...kept, ...further.map((hit) => withoutSecrets(hit, path))].sort(
    (left, right) => left.startLine - right.startLine || left.startColumn - right.startColumn,
  );
}

function withoutSecrets(hit: CodeHit, path: string): CodeHit {
  const flow = hit.flow ?? [];
  const [line, ...messages] = redactTexts([hit.line, ...flow.map(({ message }) => message)], { path });
  return { ...hit, line: line!, flow: flow.map((step, index) => ({ ...step, message: messages[index]! })) };
}
