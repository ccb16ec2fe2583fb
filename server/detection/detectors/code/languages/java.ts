import type { Language } from './language.ts';
import { jsp } from './templates.ts';

export const java: Language = {
  name: 'java',
  parsers: { java: 'java', jsp: 'java' },
  template: jsp,
  functions: ['method_declaration', 'constructor_declaration', 'lambda_expression'],
  parameterFields: ['parameters'],
  assignments: {
    variable_declarator: ['name', 'value'],
    assignment_expression: ['left', 'right'],
    enhanced_for_statement: ['name', 'value'],
    resource: ['name', 'value'],
  },
  augmented: [],
  blocks: ['block', 'program', 'class_body', 'switch_block_statement_group', 'constructor_body'],
  identifiers: ['identifier'],
  literals: [
    'string_literal',
    'character_literal',
    'decimal_integer_literal',
    'decimal_floating_point_literal',
    'true',
    'false',
    'null_literal',
    'this',
    'hex_integer_literal',
    'class_literal',
  ],
  templates: [],
  templateTexts: [],
  binaries: ['binary_expression'],
  calls: {
    method_invocation: { name: ['object', 'name'], receiver: 'object' },
    object_creation_expression: { name: ['type'], receiver: null },
  },
  members: { field_access: 'object', array_access: 'array' },
  inert: ['lambda_expression', 'unary_expression', 'instanceof_expression', 'type_identifier', 'generic_type'],
  conditionals: { ternary_expression: ['consequence', 'alternative'] },
  builders:
    /(?:^|\.)(?:format|formatted|concat|join|append|insert|replace|toString|MessageFormat\.format|StringBuilder|StringBuffer)$/,
};
