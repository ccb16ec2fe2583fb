import type { Dockerfile, Instruction, Stage } from '../dockerfile.ts';
import type { Sight } from '../rule.ts';

/** Returns the stage that is built by default. */
export const lastStage = (file: Dockerfile): Stage => file.stages.at(-1)!;

/** Returns the stage after its base stages, outermost base first. */
export function lineage(stage: Stage): Stage[] {
  const stages: Stage[] = [];
  for (let current: Stage | null = stage; current && !stages.includes(current); current = current.base)
    stages.unshift(current);
  return stages;
}

export const all = (stage: Stage, keyword: string): Instruction[] =>
  stage.instructions.filter((instruction) => instruction.keyword === keyword);

export const sightOf = (stage: Stage, instruction: Instruction, key = ''): Sight => ({
  resource: `stage ${stage.name}${key && `\n${key}`}`,
  startLine: instruction.startLine,
  endLine: instruction.endLine,
  evidence: `${instruction.keyword} ${instruction.text}`.slice(0, 300),
});

/** Finds `RUN` commands that match a pattern. The stage and the matched text identify a finding. */
export const runsWith =
  (pattern: RegExp) =>
  (file: Dockerfile): Sight[] =>
    file.stages.flatMap((stage) =>
      all(stage, 'RUN').flatMap((instruction) => {
        const found = pattern.exec(commandsOf(instruction));
        return found ? [sightOf(stage, instruction, found[0].trim().slice(0, 60))] : [];
      }),
    );

/** Returns the command without the brackets and quotes of the exec form. */
const commandsOf = ({ text }: Instruction): string =>
  text.startsWith('[') ? text.replace(/^\[\s*"|"\s*\]$/g, '').replace(/"\s*,\s*"/g, ' ') : text;

/** Returns the names and values of `ENV` and `ARG`, in both forms. */
export function assignmentsOf({ keyword, words }: Instruction): Array<[string, string]> {
  if (keyword === 'ENV' && words.length > 1 && !words[0]!.includes('=')) return [[words[0]!, words.slice(1).join(' ')]];
  return words.map((word) => {
    const equals = word.indexOf('=');
    return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1).replace(/^(["'])(.*)\1$/, '$2')];
  });
}
