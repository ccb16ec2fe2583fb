import type { Dockerfile, Instruction, Stage } from '../dockerfile.ts';
import type { Sight } from '../rule.ts';

/** The stage that is built when nobody says which. */
export const lastStage = (file: Dockerfile): Stage => file.stages.at(-1)!;

/** The stage with those that it begins from, the first of them first. */
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

/** The commands of `RUN` instructions that a pattern fits, one finding a stage and matched text. */
export const runsWith =
  (pattern: RegExp) =>
  (file: Dockerfile): Sight[] =>
    file.stages.flatMap((stage) =>
      all(stage, 'RUN').flatMap((instruction) => {
        const found = pattern.exec(commandsOf(instruction));
        return found ? [sightOf(stage, instruction, found[0].trim().slice(0, 60))] : [];
      }),
    );

/** In the exec form the brackets and quotes are no part of the command. */
const commandsOf = ({ text }: Instruction): string =>
  text.startsWith('[') ? text.replace(/^\[\s*"|"\s*\]$/g, '').replace(/"\s*,\s*"/g, ' ') : text;

/** `ENV` and `ARG` as names and values, in both forms. */
export function assignmentsOf({ keyword, words }: Instruction): Array<[string, string]> {
  if (keyword === 'ENV' && words.length > 1 && !words[0]!.includes('=')) return [[words[0]!, words.slice(1).join(' ')]];
  return words.map((word) => {
    const equals = word.indexOf('=');
    return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1).replace(/^(["'])(.*)\1$/, '$2')];
  });
}
