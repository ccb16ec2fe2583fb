import Type, { type TString } from 'typebox';
import { invalid } from './errors.ts';

const maxNameLength = 200;
/**
 * Control characters, line and paragraph separators, and bidirectional formatting characters, which make a name look
 * like another.
 */
const refused = '\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
const anyRefused = new RegExp(`[${refused}]`, 'u');

const expectation = (max: number) =>
  `must be 1 to ${max} characters on one line, not all blank, without control or direction characters`;

/**
 * Returns the normal form of a name: composed (NFC), without surrounding blanks; empty when nothing in it is visible.
 */
export function normalizeName(text: string): string {
  const name = text.normalize('NFC').trim();
  return /[^\p{Cf}\p{Z}]/u.test(name) ? name : '';
}

/** Returns whether a name in its normal form contains only allowed characters. */
export const isName = (name: string): boolean => name !== '' && !anyRefused.test(name);

/**
 * The schema of every name that people choose: of persons, organizations, data sources, tokens, titles, schedules
 * and, shorter, tags. Validation replaces the value by its normal form.
 */
export function nameSchema(description: string, maxLength = maxNameLength): TString {
  return Type.String({
    description: `${description} One line, without control or direction characters; blanks around it are removed.`,
    minLength: 1,
    maxLength,
    errorMessage: expectation(maxLength),
    'x-name': true,
  });
}

/**
 * Returns the normal form of a name from the command line or the environment. Throws `invalid_request` with the name
 * of `field`.
 */
export function requireName(text: string, field = 'name'): string {
  const name = normalizeName(text);
  if ([...name].length <= maxNameLength && isName(name)) return name;
  throw invalid('body', field, expectation(maxNameLength));
}

/** Turns untrusted text, such as a path, into a name by dropping forbidden characters. Empty when nothing is left. */
export function toName(text: string): string {
  const kept = text.toWellFormed().replace(new RegExp(`[${refused}]`, 'gu'), '');
  return [...normalizeName(kept)].slice(0, maxNameLength).join('').trim();
}
