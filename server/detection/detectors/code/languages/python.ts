import type { Language } from './language.ts';

export const python: Language = {
  name: 'python',
  parsers: { py: 'python', pyw: 'python' },
  functions: ['function_definition', 'lambda'],
  parameterFields: ['parameters'],
  assignments: {
    assignment: ['left', 'right'],
    augmented_assignment: ['left', 'right'],
    named_expression: ['name', 'value'],
    for_statement: ['left', 'right'],
    for_in_clause: ['left', 'right'],
  },
  augmented: ['augmented_assignment'],
  blocks: ['block', 'module'],
  identifiers: ['identifier'],
  literals: ['integer', 'float', 'true', 'false', 'none'],
  templates: ['string'],
  templateTexts: ['string_content', 'escape_sequence'],
  binaries: ['binary_operator'],
  calls: { call: { name: ['function'], receiver: 'function' } },
  members: { attribute: 'object', subscript: 'value' },
  inert: ['lambda', 'comparison_operator', 'not_operator', 'unary_operator', 'type'],
  conditionals: { list_comprehension: ['body'], generator_expression: ['body'], set_comprehension: ['body'] },
  builders: /(?:^|\.)(?:format|format_map|join|replace|Template|substitute)$/,
};
