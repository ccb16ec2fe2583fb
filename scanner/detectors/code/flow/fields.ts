import type { SgNode } from '@ast-grep/napi';
import type { LanguageName } from '../languages/language.ts';
import { hasFields } from '../program/packages.ts';
import { decoding, passing } from './call-result.ts';
import { isDeriving } from './check-names.ts';
import { kindOf } from './syntax.ts';
import type { Flow } from './value.ts';

/** Functions whose result has parts of their argument as fields. */
const parsing =
  /(?:yaml|YAML|toml|json)\.\w*[Ll]oad|(?:^|[._])(?:[Tt]ry)?(?:[Pp]arse|[Dd]ecode|[Uu]nmarshal|[Dd]eserialize|[Rr]ead(?=Body|Form|Json|JSON|Request|Value|$)|[Bb]ind|[Ff]rom|[Nn]ew|[Ll]oads$|[Cc]reate)\w*$/;
/** A request, and all values of one kind in it: `req.body`, `request.GET`. */
const whole =
  /(?:^|[.>])(?:req|request|ctx|event|body|query|params|headers|cookies|form|args|values|json|files|data|POST|GET|FILES|REQUEST|META)[)!]*(?:\(\))?!?$/;

/** Returns whether a node of a member accesses a field by its name, not an entry of a container. */
export const isFieldAccess = (node: SgNode): boolean => !/index|subscript|element/.test(kindOf(node));

/**
 * Returns whether the fields of what a function returns are its own, even if it gets input: `docs.find(name).path`. Those
 * of a parsed text are input, and without types also those of a function that gets a whole form. `follow` returns what is
 * passed.
 */
export function returnsOwnFields(language: LanguageName, name: string, follow: () => Flow): boolean {
  if (passing.test(name) || isDeriving(name) || decoding.test(name) || parsing.test(name)) return false;
  if (hasFields(language)) return true;
  const isConstructor = /(?:^|[. ])[A-Z]\w*$/.test(name);
  if ((language !== 'javascript' && language !== 'python') || isConstructor) return false;
  const { request, parameter, ends } = follow();
  const inputs = ends.filter(({ from }) => from === 'request');
  return (
    request &&
    !parameter &&
    inputs.length > 0 &&
    inputs.every(({ trail }) => !whole.test(/`(.*)`$/s.exec(trail.words)?.[1] ?? ''))
  );
}
