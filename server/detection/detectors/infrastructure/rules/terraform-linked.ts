import type { Severity } from '../../../../findings/severity.ts';
import type { TerraformBlock } from '../terraform.ts';
import { textOf, type Value } from '../value.ts';
import { type Must, readExpectation, whatIsWrong } from './expectation.ts';
import type { Family } from './table.ts';
import { isUnknown, onBlock, resources, rule } from './terraform-helpers.ts';

type Setting = { attribute: string; must: Must };
export type Linked = {
  id: string;
  title: string;
  severity: Severity;
  knownAs: string[];
  family: Family;
  remediation: string;
  type: string;
  /** An attribute of the resource itself that settles it. */
  own?: Setting;
  /** The resource that settles it for the one whose id or name `link` has. */
  companion: string;
  link: string;
  setting?: Setting;
  isExempt?(block: TerraformBlock, found: TerraformBlock[]): boolean;
};

/** The attribute by which companions name a resource. */
export const nameOf = ({ body }: TerraformBlock): Value => body.bucket ?? body.name;

/** Returns whether a text refers to a resource of the same module. */
export const refersTo = (text: string, { type, name }: TerraformBlock): boolean =>
  new RegExp(`\\b${type}\\.${name.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`).test(text);

/** Returns whether a companion belongs to a resource; when that can't be known, it may. */
function mayBelong(companion: TerraformBlock, link: string, block: TerraformBlock): boolean {
  const value = textOf(companion.body[link]);
  if (!isUnknown(value)) {
    const name = textOf(nameOf(block));
    return name === '' || isUnknown(name) || name === value;
  }
  const named = new RegExp(`\\b${block.type}\\.`).test(value);
  return !named || refersTo(value, block);
}

/** Returns what is missing, or null. Absence is certain only when the whole module is known. */
function whatIsMissing(linked: Linked, block: TerraformBlock, found: TerraformBlock[]): string | null {
  const { own, companion, link, setting } = linked;
  if (own && whatIsWrong(block.body, own.attribute, readExpectation(own.must)) === null) return null;
  if (found.some(({ kind }) => kind === 'unreadable') || linked.isExempt?.(block, found)) return null;
  const companions = [
    ...resources(found, companion).filter((candidate) => mayBelong(candidate, link, block)),
    // The calling module may settle it.
    ...found.filter(({ kind, type }) => kind === 'caller' && type === companion),
  ];
  const wrong = companions.map(({ body }) =>
    setting ? whatIsWrong(body, setting.attribute, readExpectation(setting.must)) : null,
  );
  if (wrong.includes(null)) return null;
  if (wrong.length > 0) return `${companion}: ${wrong[0]}`;
  // A module that gets the resource may add it.
  const isPassedOn = found.some(({ kind, body }) => kind === 'module' && refersTo(JSON.stringify(body), block));
  return isPassedOn ? null : `no ${companion}`;
}

/** Builds the rule of a row. */
export function linkedRule(linked: Linked) {
  const { id, title, severity, knownAs, family, remediation, type, own, companion, link, setting } = linked;
  const [block, inner] = (setting?.attribute ?? 'x').split('.');
  const value = `"${setting?.must.replace('one of ', '') ?? 'x'}"`;
  const companionOf = (reference: string) =>
    `resource "${companion}" "c" {\n${link} = ${reference}\n${inner ? `${block} {\n${inner} = ${value}\n}` : `${block} = ${value}`}\n}\n`;
  const resource = (body = '') => `resource "${type}" "a" {\n${body}\n}\n`;
  const ownSample =
    own &&
    resource(
      own.attribute.includes(' or ')
        ? `${own.attribute.split(' or ')[0]} = false`
        : `${own.attribute.split('.').join(' {\n')} = true${'\n}'.repeat(own.attribute.split('.').length - 1)}`,
    );
  return rule({
    id: `terraform-${id}`,
    title,
    severity,
    cwe: family.cwe,
    knownAs,
    risk: family.risk,
    remediation,
    find: (found) =>
      resources(found, type).flatMap((candidate) => {
        const missing = whatIsMissing(linked, candidate, found);
        return missing === null ? [] : [onBlock(candidate, missing)];
      }),
    matches: [resource(), resource() + companionOf(`${type}.other.id`)],
    misses: [
      resource() + companionOf(`${type}.a.id`),
      resource('for_each = toset(["x", "y"])') + companionOf(`${type}.a[each.key].id`),
      resource() + companionOf('var.unknown'),
      `${resource()}module "m" {\n  source = "./m"\n  id = ${type}.a.id\n}\n`,
      ...(ownSample ? [ownSample] : []),
    ],
  });
}
