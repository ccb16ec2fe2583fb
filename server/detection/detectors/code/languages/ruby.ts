import type { Language } from './language.ts';
import { erb } from './templates.ts';

export const ruby: Language = {
  name: 'ruby',
  parsers: { rb: 'ruby', rake: 'ruby', erb: 'ruby' },
  template: erb,
  functions: ['method', 'singleton_method', 'lambda'],
  parameterFields: ['parameters'],
  assignments: { assignment: ['left', 'right'], operator_assignment: ['left', 'right'] },
  augmented: ['operator_assignment'],
  blocks: ['body_statement', 'block_body', 'then', 'else', 'program', 'method', 'when', 'do'],
  identifiers: ['identifier', 'instance_variable'],
  literals: ['integer', 'float', 'simple_symbol', 'true', 'false', 'nil', 'self', 'character'],
  templates: ['string', 'heredoc_body', 'subshell', 'regex', 'delimited_symbol'],
  templateTexts: ['string_content', 'heredoc_content', 'escape_sequence'],
  binaries: ['binary'],
  calls: { call: { name: ['receiver', 'method'], receiver: 'receiver' } },
  members: { element_reference: 'object', scope_resolution: 'scope' },
  inert: ['lambda', 'unary', 'block', 'do_block', 'constant'],
  conditionals: { conditional: ['consequence', 'alternative'] },
  builders: /(?:^|\.)(?:format|sprintf|join|concat|gsub|sub|replace)$/,
};
