import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

/** A small file with a known answer. `family`: the weakness that it has (`harmful`) or only seems to have. */
export type Case = {
  name: string;
  language: string;
  extension: string;
  family: string;
  harmful: boolean;
  source: string;
};

type Flow = string | { code: string; members: string };
type Family = {
  /** Code that misuses `q`. */
  sinks: string[];
  /** Code that uses `q` in a safe way. */
  safe?: string[];
  /** Code that makes `q` harmless for these sinks. */
  cleaners?: string[];
  /** Code that makes `q` harmless only for another kind of sink. */
  wrong?: string[];
  /** The applicable sources and flows; all by default. */
  only?: string[];
  keeps?: string[];
  loses?: string[];
};
type Settings = {
  imports?: string;
  /** The handler around each snippet; by default, the handlers of the first sources in turn. */
  handler?: string;
  /** The extension of the file, if it isn't the language's. */
  extension?: string;
  harmful: string[];
  harmless: string[];
};
type LanguageFile = {
  extension: string;
  handlers: Record<string, string>;
  sources: Record<string, { handler: string; code: string }>;
  keeps: Record<string, Flow>;
  loses: Record<string, Flow>;
  families: Record<string, Family>;
  settings: Record<string, Settings>;
};

export const benchmarkLanguages = ['csharp', 'go', 'java', 'javascript', 'php', 'python', 'ruby', 'template'] as const;

/** The number of harmful and of harmless cases in each family with a flow. */
const casesOfFamily = 12;

const read = <T>(name: string) => load(readFileSync(join(import.meta.dirname, `${name}.yml`), 'utf8')) as T;

/** Returns the CWEs by which a scanner may report each family. */
export const readFamilies = (): Record<string, number[]> => read('families');

/**
 * Returns the cases of a language: the same ones for each call. Each list of sources, flows, cleaners and sinks is
 * cycled through independently, so that no combination is chosen by hand.
 */
export function casesOf(language: string): Case[] {
  const file = read<LanguageFile>(language);
  const combined = Object.entries(file.families).flatMap(([name, family], index) =>
    casesWithFlow(file, language, name, family, index),
  );
  const settings = Object.entries(file.settings).flatMap(
    ([name, { imports = '', handler, extension, harmful, harmless }]) =>
      [harmful, harmless].flatMap((snippets, safe) =>
        snippets.map((snippet, number) => {
          const sources = Object.values(file.sources).filter((one) => !handler || one.handler === handler);
          const source = sources[number % Math.min(3, sources.length)] ?? { handler: '', code: '' };
          const code = { source: source.code, flow: '', clean: '', sink: snippet, members: imports };
          const own = { ...file, extension: extension ?? file.extension };
          return caseOf(own, language, name, safe === 0, number, handler ?? source.handler, code);
        }),
      ),
  );
  return [...combined, ...settings];
}

function casesWithFlow(file: LanguageFile, language: string, name: string, family: Family, offset: number): Case[] {
  const sources = chosen(file.sources, family.only);
  const keeps = chosen(file.keeps, family.keeps);
  const loses = chosen(file.loses, family.loses);
  const at = <T>(list: T[], index: number) => list[index % list.length]!;
  const cases: Case[] = [];
  for (let index = 0; index < casesOfFamily; index++) {
    const wrong = index % 4 === 3 && family.wrong ? at(family.wrong, index >> 2) : '';
    const harmful = { flow: at(keeps, index * 5 + offset), clean: wrong, sink: at(family.sinks, index) };
    const harmless = harmlessParts(family, keeps, loses, index, offset);
    for (const [isHarmful, { flow, clean, sink }] of [[true, harmful] as const, [false, harmless] as const]) {
      const source = at(sources, index * 3 + offset + (isHarmful ? 0 : 1));
      const parts = typeof flow === 'string' ? { code: flow, members: '' } : flow;
      const code = { source: source.code, flow: parts.code, clean, sink, members: parts.members };
      cases.push(caseOf(file, language, name, isHarmful, index, source.handler, code));
    }
  }
  return cases;
}

/** Builds four harmless cases: two lose the input on the way, and two clean it or use it safely if possible. */
function harmlessParts(family: Family, keeps: Flow[], loses: Flow[], index: number, offset: number) {
  const at = <T>(list: T[], place: number) => list[place % list.length]!;
  const kept = at(keeps, index * 5 + offset + 2);
  const sink = at(family.sinks, index);
  const turn = index % 4;
  if ((turn === 1 || loses.length === 0) && family.safe)
    return { flow: kept, clean: '', sink: at(family.safe, index >> 1) };
  if (turn === 3 && family.cleaners) return { flow: kept, clean: at(family.cleaners, index >> 2), sink };
  if (turn === 3 && family.safe) return { flow: kept, clean: '', sink: at(family.safe, index >> 2) };
  return { flow: at(loses, index * 5 + offset), clean: '', sink };
}

function caseOf(
  { handlers, extension }: LanguageFile,
  language: string,
  family: string,
  harmful: boolean,
  number: number,
  handler: string,
  code: Record<string, string>,
): Case {
  const name = `${family}-${harmful ? 'harmful' : 'harmless'}-${number + 1}`;
  return { name, language, extension, family, harmful, source: filled(handlers[handler]!, code) };
}

/**
 * Inserts code into a text with `<<placeholders>>`, indented like the placeholder. Both `\n` and line breaks end lines.
 */
function filled(text: string, code: Record<string, string>): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const place = /^(\s*)<<(\w+)>>$/.exec(line);
      const put = line.replace(/<<(\w+)>>/g, (_, name: string) => code[name] ?? '');
      if (!place) return [put];
      const lines = (code[place[2]!] ?? '').replaceAll('\\n', '\n').split('\n');
      return lines.filter((own) => own.trim() !== '').map((own) => `${place[1]}${own}`);
    })
    .join('\n');
}

const chosen = <T>(all: Record<string, T>, names: string[] | undefined): T[] =>
  Object.entries(all).flatMap(([name, value]) => (names && !names.includes(name) ? [] : [value]));
