import type { LanguageName } from '../languages/language.ts';
import { everywhere, extension } from './csharp.ts';
import { mentionsOf } from './mentions.ts';
import { outside } from './rails.ts';
import type { FileSummary, Outline } from './summary.ts';

const maxNames = 2_000;

/**
 * Finds the declarations of a file by its text: at least the names that its summary would have, perhaps more, for words
 * in comments. A language without an entry is always parsed.
 */
const outlines: Partial<Record<LanguageName, (source: string) => Outline & { package?: string; stars?: string[] }>> = {
  javascript: () => ({}),
  python: () => ({}),
  go: (source) => {
    const functions = found(source, /^func\s+(?:\(\s*(?:\w+\s+)?(?:\*\s*)?(\w+)\b[^)\n]*\)\s*)?(\w+)/gm);
    const groups = groupsOf(source).flatMap((body) => found(body, names));
    const single = found(source, /^[ \t]*(?:type|var)\s+(\w[\w, \t]*)/gm).flatMap(([list = '']) =>
      found(list, /(\w+)/g),
    );
    const methods = functions.flatMap(([type, method]) => (type && method ? [method] : []));
    return {
      names: [
        ...functions.flatMap(([type, name]) =>
          type ? [`${type}.${name}`, `${type}.${name}()`] : [name!, `${name}()`],
        ),
        ...[...groups, ...single].map(([name]) => name!),
      ],
      ...(methods.length > 0 && { methods }),
    };
  },
  java: (source) => ({
    package: /^[ \t]*package\s+([\w.]+)/m.exec(source)?.[1] ?? '',
    names: found(source, /\b(?:class|interface|enum|record)\s+(\w+)/g).map(([name]) => name!),
    bases: found(source, /\b(?:extends|implements)\s+([\w.,<>?&@\s]+)/g).flatMap(wordsOf),
  }),
  php: (source) => ({
    package: /^[ \t]*(?:<\?php[ \t]+)?namespace\s+([\w\\]+)/im.exec(source)?.[1] ?? '',
    names: found(source, /\b(?:class|interface|trait|enum|function)\s+(?:&\s*)?(\w+)/gi).map(([name]) => name!),
    bases: found(source, /\b(?:extends|implements|use)\s+([\w\\,{}\s]+)/gi).flatMap(wordsOf),
  }),
  ruby: (source) => {
    const classes = found(source, /^[ \t]*(?:class|module)[ \t]+([A-Z:][\w:]*)/gm).flatMap(wordsOf);
    const isScript = classes.length === 0 ? /^[ \t]*def[ \t]|(?<!@)@\w+[ \t]*[|&+-]{0,2}=[^=~>]/m : /^def[ \t]/m;
    return { names: isScript.test(source) ? [...classes, outside] : classes };
  },
  csharp: (source) => ({
    package: /^[ \t]*namespace\s+([\w.]+)/m.exec(source)?.[1] ?? '',
    stars: found(source, /^[ \t]*global[ \t]+using[ \t]+([\w.]+);/gm).map(([path]) => `${everywhere}${path}`),
    names: [
      ...found(source, /\b(?:class|interface|struct|record)\s+(\w+)/g).map(([name]) => name!),
      ...found(source, /\b([A-Z]\w*)[ \t]*(?:<[\w, ]*>[ \t]*)?\(\s*this\s/g).map(([name]) => `${extension}.${name}`),
    ],
    bases: found(source, /\b(?:class|interface|struct|record)\s+\w+([^{};]{0,2000})/g).flatMap(wordsOf),
  }),
};

/** Returns the name by which an outline of a language with open classes lists the class of a name. */
export function ownerOf(language: LanguageName, name: string): string {
  const parts = name.split('.');
  if (language === 'ruby') return parts.findLast((part) => /^[A-Z]/.test(part)) ?? outside;
  return parts[0] === extension ? `${extension}.${parts[1]}` : parts[0]!;
}

const names = /^[ \t]+(\w+)/gm;

/** Returns the contents of Go's groups of types and variables. One pass: a file may open many and close none. */
function groupsOf(source: string): string[] {
  const contents: string[] = [];
  let start: number | null = null;
  for (const { 0: found, index } of source.matchAll(/^(?:(?:type|var)[ \t]*\(|\))/gm)) {
    if (found !== ')') start ??= index + found.length;
    else if (start !== null) {
      contents.push(source.slice(start, index));
      start = null;
    }
  }
  return contents;
}

const found = (text: string, pattern: RegExp): Array<Array<string | undefined>> =>
  [...text.matchAll(pattern)].map((match) => match.slice(1));

const wordsOf = ([text = '']: Array<string | undefined>): string[] => text.match(/\w+/g) ?? [];

/** Returns whether files of a language are parsed only if another file asks for them. */
export const hasOutline = (language: LanguageName): boolean => outlines[language] !== undefined;

/** Returns a summary of a file without its declarations. */
export function outlineOf(language: LanguageName, source: string, hasInput: boolean): FileSummary {
  const { package: own, stars = [], ...outline } = outlines[language]!(source);
  const named = Object.entries(outline).map(([part, all]) => [part, [...new Set(all)].slice(0, maxNames)]);
  return {
    ...(own && { package: own }),
    ...{ aliases: [], exports: [], stars, bases: [], classes: [], functions: [], calls: [], uses: [] },
    ...(hasInput && { hasInput }),
    mentions: mentionsOf(source, language),
    asked: { functions: [], calls: [] },
    outline: Object.fromEntries(named),
  };
}
