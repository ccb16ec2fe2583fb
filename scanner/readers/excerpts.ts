import { boundFlow } from '../contract/bound-flow.ts';
import type { Excerpts, Fix, FixChange, FlowStep, Location } from '../contract/detection.ts';
import { codeAt, redactLines, textAround, visible } from '../detectors/secrets/redact-code.ts';
import { redactTexts } from '../detectors/secrets/redact-text.ts';
import type { LeftOut, ReadContext } from './format.ts';

const maxSteps = 50;
const maxMessage = 500;
const maxChanges = 20;
const maxFixCharacters = 8_000;

/** The code at a result as reported by its tool: any number of lines, steps and changes, with secrets in plain text. */
export type GivenExcerpts = {
  /** Lines of the location's file, starting at line `start`. */
  code: { start: number; text: string } | null;
  /** There may be many steps: `at` reads a single one. */
  flow: { count: number; at(index: number): Omit<FlowStep, 'number'> & { number?: number } } | null;
  fix: Fix | null;
};

export type ExcerptPlace = Pick<Location, 'path' | 'start_line' | 'end_line' | 'start_column'>;

/**
 * Returns code, flow and fix within their bounds and without secrets; a secret that appears in one of them is redacted
 * in all. `literals`: as in `redactTexts`.
 */
export function readExcerpts(
  { code, flow, fix }: GivenExcerpts,
  place: ExcerptPlace,
  literals: boolean,
  context: ReadContext,
): Excerpts {
  const path = place.path ?? '';
  const around = code && textAround(code.text, code.start, place);
  const steps = flow ? stepsOf(flow) : [];
  const changes = changesOf(fix, context);
  const shown = [
    ...(around?.lines ?? []),
    ...steps.map(({ message }) => searched(message)),
    searched(changes.length > 0 ? fix!.description : null),
    ...changes.map(({ text }) => text),
  ];
  const rest = redactTexts(shown, { literals, path }).slice(around?.lines.length ?? 0);
  const said = steps.map((step, index) => ({ ...step, message: shorten(rest[index]!) }));
  const [description, ...texts] = rest.slice(steps.length);
  const known = said.length === 0 ? null : boundFlow(said);
  if (known && known.length < flow!.count) context.leftOut('a long flow');
  return {
    code: codeAt(around && redactLines(around, path), place, { literals }),
    flow: known,
    fix:
      changes.length === 0
        ? null
        : {
            description: shorten(description!),
            changes: changes.map((change, index) => ({ ...change, text: visible(texts[index]!) })),
          },
  };
}

/** Longer than any stored text, so that a secret at the end is found before the text is truncated. */
const searched = (text: string | null): string => (text ?? '').slice(0, 4 * maxMessage);

function shorten(given: string): string | null {
  const text = visible(given).trim();
  return text.length <= maxMessage ? text || null : `${text.slice(0, maxMessage - 1).toWellFormed()}…`;
}

/** Reads the first and the last steps: a flow is about its source and its sink. */
function stepsOf({ count, at }: NonNullable<GivenExcerpts['flow']>): FlowStep[] {
  let number = 0;
  return Array.from({ length: Math.min(count, maxSteps) }, (_, order): FlowStep => {
    const index = count <= maxSteps || order < maxSteps / 2 ? order : count - maxSteps + order;
    const { number: own, ...step } = at(index);
    number = Math.max(own ?? index + 1, number + 1);
    return { number, ...step };
  });
}

/** A partial fix is no fix, so it is stored as a whole or not at all. */
function changesOf(fix: Fix | null, context: ReadContext): FixChange[] {
  const changes = fix?.changes ?? [];
  const leavesOut = (what: LeftOut): FixChange[] => {
    context.leftOut(what);
    return [];
  };
  if (changes.some(({ path }) => path.split('/').includes('..'))) return leavesOut('a fix without lines');
  const isSmall = changes.length <= maxChanges && JSON.stringify(changes).length <= maxFixCharacters;
  return isSmall ? changes : leavesOut('a large fix');
}
