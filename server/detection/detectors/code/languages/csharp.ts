import type { Language } from './language.ts';
import { razor } from './templates.ts';

export const csharp: Language = {
  name: 'csharp',
  parsers: { cs: 'csharp', cshtml: 'csharp' },
  template: razor,
  functions: [
    'method_declaration',
    'constructor_declaration',
    'local_function_statement',
    'lambda_expression',
    'anonymous_method_expression',
  ],
  parameterFields: ['parameters'],
  assignments: {
    variable_declarator: ['name', ''],
    assignment_expression: ['left', 'right'],
    foreach_statement: ['left', 'right'],
  },
  augmented: [],
  blocks: ['block', 'compilation_unit', 'switch_section', 'declaration_list', 'global_statement'],
  identifiers: ['identifier'],
  literals: [
    'string_literal',
    'verbatim_string_literal',
    'raw_string_literal',
    'character_literal',
    'integer_literal',
    'real_literal',
    'boolean_literal',
    'null_literal',
    'this',
    'this_expression',
    'typeof_expression',
  ],
  templates: ['interpolated_string_expression'],
  templateTexts: ['string_content', 'interpolated_string_text'],
  binaries: ['binary_expression'],
  calls: {
    invocation_expression: { name: ['function'], receiver: 'function' },
    object_creation_expression: { name: ['type'], receiver: null },
  },
  members: { member_access_expression: 'expression', element_access_expression: 'expression' },
  inert: [
    'lambda_expression',
    'prefix_unary_expression',
    'is_expression',
    'predefined_type',
    'anonymous_method_expression',
  ],
  conditionals: { conditional_expression: ['consequence', 'alternative'] },
  builders: /(?:^|\.)(?:Format|Concat|Join|Append|AppendFormat|AppendLine|Replace|ToString|Insert|StringBuilder)$/,
};
