import {
  DockerfileParser,
  type From,
  type ModifiableInstruction,
  type Instruction as ParsedInstruction,
} from 'dockerfile-ast';

export type Instruction = {
  /** In upper case. */
  keyword: string;
  /** The arguments, with continued lines joined and comments removed. */
  text: string;
  /** The arguments without flags. */
  words: string[];
  /** Flags of the form `--name=value`. */
  flags: Record<string, string>;
  startLine: number;
  endLine: number;
};

export type Stage = {
  /** The stage's name, or its number if it has none. */
  name: string;
  /** The base image, with defaults of `ARG` filled in; '' if an argument has no default. */
  image: string;
  /** The base stage, if it is in this file. */
  base: Stage | null;
  /** The first instruction is `FROM`. */
  instructions: Instruction[];
};

export type Dockerfile = { stages: Stage[] };

const maxInstructions = 5_000;

/**
 * Reads a Dockerfile; null if it has no `FROM` and so is not one. Throws a sentence if it has too many instructions.
 */
export function readDockerfile(text: string): Dockerfile | null {
  const parsed = DockerfileParser.parse(text);
  const instructions = parsed.getInstructions();
  if (instructions.length > maxInstructions) throw new Error(`it has more than ${maxInstructions} instructions`);
  const stages: Stage[] = [];
  const defaults = new Map(
    parsed.getInitialARGs().map((arg) => {
      const property = arg.getProperty();
      return [property?.getName() ?? '', property?.getValue() ?? ''];
    }),
  );
  for (const instruction of instructions) {
    const read = toInstruction(instruction);
    if (read.keyword === 'FROM') {
      const from = instruction as From;
      const image = fillIn(from.getImage() ?? '', defaults);
      const name = from.getBuildStage()?.toLowerCase() ?? String(stages.length);
      const base = stages.findLast((stage) => stage.name === image.toLowerCase()) ?? null;
      stages.push({ name, image, base, instructions: [read] });
    } else stages.at(-1)?.instructions.push(read);
  }
  return stages.length > 0 ? { stages } : null;
}

function toInstruction(instruction: ParsedInstruction): Instruction {
  const { start, end } = instruction.getRange();
  const flags = 'getFlags' in instruction ? (instruction as ModifiableInstruction).getFlags() : [];
  const all = instruction.getArguments().map((argument) => argument.getValue());
  return {
    keyword: instruction.getKeyword().toUpperCase(),
    text: all.join(' '),
    words: all.filter((word, index) => !(index < flags.length && word.startsWith('--'))),
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    startLine: start.line + 1,
    endLine: end.line + 1,
  };
}

/** Replaces `${NAME}`, `$NAME` and `${NAME:-default}`; '' if one of them has no value. */
function fillIn(image: string, defaults: Map<string, string>): string {
  let isKnown = true;
  const filled = image.replace(/\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))/g, (_all, braced, otherwise, plain) => {
    const value = defaults.get(braced ?? plain) || otherwise;
    if (!value) isKnown = false;
    return value ?? '';
  });
  return isKnown ? filled : '';
}
