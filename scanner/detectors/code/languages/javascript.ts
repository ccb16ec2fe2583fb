import { Lang } from '@ast-grep/napi';
import type { Language } from './language.ts';
import { Places, partsBetween } from './places.ts';
import type { Template } from './templates.ts';

const script = /<script\b[^<>]{0,500}>/gi;

/**
 * Components of Vue and Svelte: their scripts, and the unescaped output of their templates, as `__html(x)`:
 * `v-html="x"` and `{@html x}`.
 */
export const component: Template = {
  extensions: ['vue', 'svelte'],
  toCode(text) {
    const places = new Places(text);
    for (const opening of text.matchAll(script)) {
      const start = opening.index + opening[0].length;
      const end = text.indexOf('</script', start);
      places.put(start, text.slice(start, end < 0 ? undefined : end));
    }
    for (const { start, inner } of partsBetween(text, 'v-html="', '"')) places.put(start, ` __html(${inner})`);
    for (const { start, inner } of partsBetween(text, '{@html ', '}')) places.put(start, `__html(${inner})`);
    return places.toString();
  },
};

/** JavaScript and TypeScript, whose grammars share all node kinds that the rules use. */
export const javascript: Language = {
  name: 'javascript',
  parsers: {
    js: Lang.JavaScript,
    jsx: Lang.JavaScript,
    mjs: Lang.JavaScript,
    cjs: Lang.JavaScript,
    ts: Lang.TypeScript,
    mts: Lang.TypeScript,
    cts: Lang.TypeScript,
    tsx: Lang.Tsx,
    vue: Lang.TypeScript,
    svelte: Lang.TypeScript,
  },
  template: component,
  functions: [
    'function_declaration',
    'function_expression',
    'arrow_function',
    'method_definition',
    'generator_function_declaration',
    'generator_function',
  ],
  parameterFields: ['parameters', 'parameter'],
  assignments: {
    variable_declarator: ['name', 'value'],
    assignment_expression: ['left', 'right'],
    augmented_assignment_expression: ['left', 'right'],
    for_in_statement: ['left', 'right'],
  },
  augmented: ['augmented_assignment_expression'],
  blocks: ['statement_block', 'program', 'switch_case'],
  identifiers: ['identifier', 'shorthand_property_identifier', 'shorthand_property_identifier_pattern'],
  literals: ['string', 'number', 'regex', 'true', 'false', 'null', 'undefined', 'this', 'super'],
  templates: ['template_string'],
  templateTexts: ['string_fragment'],
  binaries: ['binary_expression'],
  calls: {
    call_expression: { name: ['function'], receiver: 'function' },
    new_expression: { name: ['constructor'], receiver: null },
  },
  members: { member_expression: 'object', subscript_expression: 'object' },
  inert: [
    'arrow_function',
    'function_expression',
    'method_definition',
    'class',
    'unary_expression',
    'update_expression',
    'type_annotation',
  ],
  conditionals: { ternary_expression: ['consequence', 'alternative'] },
  builders: /(?:^|\.)(?:concat|join|format|replace|replaceAll|sprintf|util\.format)$/,
};
