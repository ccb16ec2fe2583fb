import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { elementsOf, isEmptyConstructor, isListOf } from './containers.ts';
import type { Change } from './scope.ts';
import { argumentsOf, kindOf, withoutQuotes } from './syntax.ts';

/** Programs that run code in their text arguments. */
const interpreter = /^(?:.*[\\/])?(?:(?:ba|da|z|k|a|c|tc|fi)?sh|cmd|powershell|pwsh|ssh|su)(?:\.exe)?$/i;
/** Options before a text that a program runs: `-c`, `/c`, `-Command`. */
const runsText = /^(?:-l?c|-e|-r|--eval|--command|\/[ck]|-(?:Encoded)?Command)$/i;

const names = (node: SgNode, pattern: RegExp) => pattern.test(withoutQuotes(node.text()));
const isQuoted = (node: SgNode) => /^["'`]/.test(node.text());

/** Returns whether any of the values is a shell, or an option that makes a program run text. */
const runs = (values: SgNode[]) => values.some((value) => names(value, interpreter) || names(value, runsText));

/**
 * Returns the parts of an argument list that determine the executed code: none if the program is constant, the first if
 * it is not, and all if the program runs text. Null for other values.
 */
export function choosingParts(language: Language, node: SgNode): SgNode[] | null {
  const elements = isListOf(language, node)
    ? argumentsOf(node).map(({ value }) => value)
    : elementsOf(node, kindOf(node));
  if (!elements) return null;
  // In C#, the program is a different argument.
  return language.name === 'csharp' && !runs(elements) ? [] : choosingArguments(elements);
}

/** Returns the parts of a program's name and arguments that determine the executed code. */
export function choosingArguments(values: SgNode[]): SgNode[] {
  if (runs(values)) return values;
  const [program] = values;
  return program && !isQuoted(program) ? [program] : [];
}

/** Returns the changes of a variable that determine the executed code, if the variable is an argument list. */
export function choosingChanges(language: Language, changes: Change[]): Change[] {
  const [start] = changes;
  if (start?.operation !== 'assign' || runs(changes.map(({ value }) => value))) return changes;
  const kind = kindOf(start.value);
  if (language.name === 'csharp') return changes.filter(({ node }) => !/^\w+\.ArgumentList\.Add\(/.test(node.text()));
  const elements = choosingParts(language, start.value);
  if (elements && (elements.length > 0 || runs(elementsOf(start.value, kind) ?? []))) return changes;
  const isList = elements !== null || isEmptyConstructor(language, start.value, kind);
  if (!isList || changes.slice(1).some(({ operation }) => operation === 'assign')) return changes;
  const isEmpty = isEmptyConstructor(language, start.value, kind) || elementsOf(start.value, kind)?.length === 0;
  return changes.slice(0, isEmpty ? 2 : 1);
}
