import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { findKinds, isWithin, kindOf, type Span, spanOf } from './syntax.ts';

/** Words by which the default case leaves what follows. */
const leaving = /\b(?:return|throw|raise|abort\w*|exit|die|panic|continue|next|halt|fail|reject|head)\b/;
const kinds = ['switch_statement', 'switch_expression', 'expression_switch_statement', 'case', 'match_statement'];
const cases =
  /^(?:switch_block_statement_group|switch_rule|switch_case|switch_section|case_statement|case_clause|expression_case|when)$/;
const defaults = /^(?:switch_default|default_statement|default_case|else)$/;

/** A `switch`: the text of what it compares, and where its cases are. */
type Switch = Span & { subject: string; cases: Span[]; hasLeavingDefault: boolean };

/** Knows which values a `switch` has compared before they are used: the use is in a case, or the default case leaves. */
export class SwitchGuards {
  readonly #switches: Switch[];

  constructor(language: Language, root: SgNode, source: string) {
    this.#switches = /\b(?:switch|case|match)\b/.test(source) ? findKinds(language, root, kinds).map(readSwitch) : [];
  }

  isChecked(name: string, scope: Span, use: Span): boolean {
    return this.#switches.some(
      (one) =>
        one.subject === name &&
        isWithin(one, scope) &&
        (one.end <= use.start ? one.hasLeavingDefault : one.cases.some((own) => isWithin(use, own))),
    );
  }
}

function readSwitch(node: SgNode): Switch {
  const fields = ['value', 'condition', 'subject'];
  const subject = fields.map((field) => node.field(field)).find((field) => field !== null) ?? node.namedChildren()[0];
  const body = node.field('body');
  const parts = (body ?? node).namedChildren();
  const isDefault = (part: SgNode) =>
    defaults.test(kindOf(part)) ||
    (cases.test(kindOf(part)) && /^\s*(?:default\b|case\s+_\s*:|_\s*=>)/.test(part.text()));
  return {
    ...spanOf(node),
    subject: subject?.text().replace(/^\(\s*(.*?)\s*\)$/s, '$1') ?? '',
    cases: parts.filter((part) => cases.test(kindOf(part)) && !isDefault(part)).map(spanOf),
    hasLeavingDefault: parts.some((part) => isDefault(part) && leaving.test(part.text())),
  };
}
