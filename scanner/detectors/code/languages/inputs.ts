import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { LanguageName } from './language.ts';

/** The kinds of sinks that have their own encoders. */
export const placeKinds = ['html', 'sql', 'shell', 'path', 'url', 'ldap', 'xpath', 'nosql', 'regex', 'code'] as const;
export type PlaceKind = (typeof placeKinds)[number];

type InputsFile = {
  request: string[];
  never?: string[];
  request_pattern?: string;
  fills?: string[];
  parameters: { ignored: string; numbers?: string; harmless?: string; request?: string; objects?: string };
  request_function?: string;
  request_callback?: string;
  clean: { any: string[] } & Partial<Record<PlaceKind, string[]>>;
};

/** The forms of input in the frameworks of a language, and the functions that make it harmless. */
export type Inputs = {
  /** Matches the start of an expression that is input of a request. */
  request: RegExp;
  /** Matches the start of a part of such an expression that the sender does not control. */
  never: RegExp | null;
  /** Matches such an expression anywhere in a file, and declarations and patterns that introduce input. */
  anywhere: RegExp[];
  /** Matches calls that fill a variable with input through its address. */
  fills: RegExp | null;
  parameters: {
    /** Names that are never input: the object itself, connections, contexts. */
    ignored: RegExp;
    /** Declarations of numbers and similar, which can't contain text wherever they come from. */
    numbers: RegExp | null;
    /** Declarations that can't contain text unless a request fills them. */
    harmless: RegExp | null;
    /** Declarations of values that come from a request. */
    request: RegExp | null;
    /** Declarations of objects that a framework fills with input, in the functions of `handlers`. */
    objects: RegExp | null;
    /** Functions whose parameters come from a request, by the text before their body. */
    requestFunction: RegExp | null;
    /** Calls whose anonymous function gets its parameters from a request. */
    requestCallback: RegExp | null;
  };
  /** Returns whether a function's result is harmless for a kind of sink; without a kind, any encoder counts. */
  cleans(name: string, place: PlaceKind | undefined): boolean;
  /** Returns whether a function's result is harmless for every kind of sink. */
  cleansEverything(name: string): boolean;
  /** Returns the kinds of sinks for which a function's result is harmless. */
  encodes(name: string): PlaceKind[];
};

const known = new Map<LanguageName, Inputs>();

/**
 * Returns the inputs of a language. Each process reads their file once, when it first checks a file of that language.
 */
export function inputsOf(language: LanguageName): Inputs {
  const inputs = known.get(language) ?? readInputs(language);
  known.set(language, inputs);
  return inputs;
}

function readInputs(language: LanguageName): Inputs {
  const file = load(readFileSync(join(import.meta.dirname, `${language}.yml`), 'utf8')) as InputsFile;
  const request = file.request.join('|');
  const { any, ...placed } = file.clean;
  const everywhere = wholeName(any);
  const encoders = new Map(Object.entries(placed).map(([place, names]) => [place, wholeName(names)]));
  const declared = [
    file.request_pattern,
    file.parameters.request,
    file.request_function,
    file.request_callback,
    ...(file.fills ?? []),
  ];
  return {
    request: new RegExp(`^(?:${request})`),
    never: file.never ? new RegExp(`^(?:${file.never.join('|')})`) : null,
    anywhere: [
      new RegExp(`(?<![\\w$])(?:${request})`, 'm'),
      ...declared
        .filter((pattern) => pattern !== undefined)
        .map((pattern) => new RegExp(pattern.replaceAll(/^\^|\$$/g, ''), 'm')),
    ],
    fills: file.fills ? new RegExp(file.fills.join('|')) : null,
    parameters: {
      ignored: new RegExp(file.parameters.ignored),
      numbers: optional(file.parameters.numbers),
      harmless: file.parameters.harmless === undefined ? null : new RegExp(file.parameters.harmless, 's'),
      request: optional(file.parameters.request),
      objects: optional(file.parameters.objects),
      requestFunction: optional(file.request_function),
      requestCallback: optional(file.request_callback),
    },
    cleansEverything: (name) => everywhere.test(name),
    encodes: (name) => placeKinds.filter((place) => encoders.get(place)?.test(name)),
    cleans: (name, place) =>
      everywhere.test(name) ||
      (place === undefined
        ? [...encoders.values()].some((pattern) => pattern.test(name))
        : (encoders.get(place)?.test(name) ?? false)),
  };
}

const wholeName = (names: string[]) => new RegExp(names.length > 0 ? `^(?:${names.join('|')})$` : '(?!)', 's');
const optional = (pattern: string | undefined) => (pattern === undefined ? null : new RegExp(pattern, 'm'));
