import type { SgNode } from '@ast-grep/napi';
import type { Key } from '../flow/containers.ts';
import { argumentsOf, kindOf, receiverOf, withoutQuotes } from '../flow/syntax.ts';
import type { Parameter } from '../flow/targets.ts';
import type { Language } from '../languages/language.ts';
import { isExtensionName } from './csharp.ts';

/** A value that a call passes: `part` is its position or, after `=`, its name, and the name of a part: `0.host`. */
export type Passed = { part: string; value: SgNode };

/** Starts the name of a parameter that takes any number of values. */
export const restMark = '...';

const maxParts = 24;
const objects = /^(?:object|dictionary)$/;
const spreads = /splat|spread|variadic|block_argument/;

/** Returns the name of a parameter, or of its part under a key. */
export function partName({ position, path }: Parameter, key: Key | null): string {
  const inner = path?.split('.')[0] ?? (typeof key === 'string' ? key.split('\0')[0] : undefined);
  return inner === undefined ? String(position) : `${position}.${inner}`;
}

/** Returns the values that a call passes, those in an object's literal each on its own: `find({ name, limit: 3 })`. */
export function partsOfArguments(call: SgNode): Passed[] {
  const passed: Passed[] = [];
  let position = 0;
  for (const { name, value } of argumentsOf(call)) {
    const kind = kindOf(value);
    // After `...values`, positions are unknown.
    if (spreads.test(kind)) break;
    const part = name === null ? String(position++) : `=${name}`;
    const members = objects.test(kind) ? membersOf(value) : null;
    if (!members) passed.push({ part, value });
    else for (const member of members) passed.push({ part: `${part}.${member.name}`, value: member.value });
  }
  return passed.slice(0, maxParts);
}

/** Returns the values that a call of a known function passes: an extension method's first is the object before the dot. */
export function partsOfCall(language: Language, call: SgNode, callee: string): Passed[] {
  const parts = partsOfArguments(call);
  if (!isExtensionName(callee)) return parts;
  const on = receiverOf(language, call);
  const others = parts.map(({ part, value }) => ({
    part: part.replace(/^\d+/, (at) => String(Number(at) + 1)),
    value,
  }));
  return [...(on ? [{ part: '0', value: on }] : []), ...others];
}

/** Returns the members of an object's literal; null if it includes other objects. */
export function membersOf(object: SgNode): Array<{ name: string; value: SgNode }> | null {
  const members: Array<{ name: string; value: SgNode }> = [];
  for (const member of object.namedChildren()) {
    const kind = kindOf(member);
    const key = member.field('key') ?? member.field('name');
    if (kind === 'comment') continue;
    if (kind === 'shorthand_property_identifier') members.push({ name: member.text(), value: member });
    else if (kind === 'method_definition' && key) members.push({ name: key.text(), value: member });
    else if (kind === 'pair' && key && member.field('value'))
      members.push({ name: withoutQuotes(key.text()), value: member.field('value')! });
    else return null;
  }
  return members;
}

/** Returns the arguments that may be passed as a parameter's part: their positions or names, or `*` for any. */
export function argumentsFor(wanted: string, names: readonly string[] | undefined): string[] {
  const position = Number(wanted.split('.')[0]);
  const name = names?.[position];
  return name === undefined || name.startsWith(restMark) ? ['*'] : [String(position), `=${name}`];
}

/**
 * Returns whether a value that is passed as `given` may be in the parameter's part `wanted`. A whole value contains its
 * parts; `names` are the names of the parameters.
 */
export function matchesPart(given: string, wanted: string, names: readonly string[] = []): boolean {
  const [start, ...members] = given.split('.');
  const last = names.length - 1;
  const isRest = names[last]?.startsWith(restMark) && Number(start) > last;
  const position = isRest ? last : start!.startsWith('=') ? names.indexOf(start!.slice(1)) : Number(start);
  const [own, ...inner] = wanted.split('.');
  if (position !== Number(own)) return false;
  return members.length === 0 || inner.length === 0 || members[0] === inner[0];
}
