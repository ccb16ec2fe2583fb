import type { Language } from './language.ts';

const selectors: Array<[RegExp, string]> = [
  [/^new\b/, 'object_creation_expression'],
  [/^\$?[\w\\]+\(/, 'function_call_expression'],
  [/^[\w\\]+::\w*\$?\w*\(/, 'scoped_call_expression'],
  [/^\$.*->\$?\w+\(/, 'member_call_expression'],
];

export const php: Language = {
  name: 'php',
  parsers: { php: 'php', phtml: 'php', inc: 'php', php5: 'php', php7: 'php' },
  functions: ['function_definition', 'method_declaration', 'anonymous_function', 'arrow_function'],
  parameterFields: ['parameters'],
  assignments: {
    assignment_expression: ['left', 'right'],
    augmented_assignment_expression: ['left', 'right'],
    reference_assignment_expression: ['left', 'right'],
  },
  augmented: ['augmented_assignment_expression'],
  blocks: ['compound_statement', 'program', 'case_statement', 'colon_block'],
  identifiers: ['variable_name'],
  literals: ['integer', 'float', 'boolean', 'null', 'name', 'nowdoc', 'qualified_name'],
  templates: ['encapsed_string', 'string', 'heredoc', 'shell_command_expression'],
  templateTexts: ['string_content', 'string_value', 'escape_sequence'],
  binaries: ['binary_expression'],
  calls: {
    function_call_expression: { name: ['function'], receiver: null },
    member_call_expression: { name: ['object', 'name'], receiver: 'object' },
    nullsafe_member_call_expression: { name: ['object', 'name'], receiver: 'object' },
    scoped_call_expression: { name: ['scope', 'name'], receiver: null },
    object_creation_expression: { name: [], receiver: null },
  },
  members: { member_access_expression: 'object', subscript_expression: '' },
  inert: [
    'anonymous_function',
    'arrow_function',
    'unary_op_expression',
    'cast_type',
    'class_constant_access_expression',
  ],
  conditionals: { conditional_expression: ['body', 'alternative'] },
  builders: /^(?:sprintf|vsprintf|implode|join|str_replace|str_ireplace|substr_replace|preg_replace)$/,
  completePattern(pattern) {
    const selector = selectors.find(([form]) => form.test(pattern))?.[1];
    return selector ? { context: `<?php ${pattern};`, selector } : pattern;
  },
};
