import type { Language } from './language.ts';

export const go: Language = {
  name: 'go',
  parsers: { go: 'go' },
  functions: ['function_declaration', 'method_declaration', 'func_literal'],
  parameterFields: ['parameters'],
  assignments: {
    short_var_declaration: ['left', 'right'],
    assignment_statement: ['left', 'right'],
    var_spec: ['name', 'value'],
    const_spec: ['name', 'value'],
    range_clause: ['left', 'right'],
  },
  augmented: [],
  blocks: ['block', 'source_file', 'expression_case', 'communication_case'],
  identifiers: ['identifier'],
  literals: [
    'interpreted_string_literal',
    'raw_string_literal',
    'rune_literal',
    'int_literal',
    'float_literal',
    'true',
    'false',
    'nil',
  ],
  templates: [],
  templateTexts: [],
  binaries: ['binary_expression'],
  calls: { call_expression: { name: ['function'], receiver: 'function' } },
  members: { selector_expression: 'operand', index_expression: 'operand', slice_expression: 'operand' },
  inert: ['func_literal', 'type_identifier', 'slice_type', 'map_type', 'pointer_type', 'qualified_type'],
  conditionals: {},
  builders: /^(?:fmt\.(?:Sprintf|Sprint|Sprintln|Appendf)|strings\.(?:Join|Replace|ReplaceAll|Replacer)|bytes\.Join)$/,
  completePattern: (pattern) =>
    pattern.endsWith(')') ? { context: `package a\nfunc a() { ${pattern} }`, selector: 'call_expression' } : pattern,
};
