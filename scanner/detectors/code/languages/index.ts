import { createRequire } from 'node:module';
import { registerDynamicLanguage } from '@ast-grep/napi';
import { javascript } from './javascript.ts';
import type { Language, LanguageName } from './language.ts';
import { template } from './markup.ts';
import { erb, jsp, razor } from './templates.ts';

const ruby: Language = {
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

const python: Language = {
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

const selectors: Array<[RegExp, string]> = [
  [/^new\b/, 'object_creation_expression'],
  [/^\$?[\w\\]+\(/, 'function_call_expression'],
  [/^[\w\\]+::\w*\$?\w*\(/, 'scoped_call_expression'],
  [/^\$.*->\$?\w+\(/, 'member_call_expression'],
];

const php: Language = {
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

const java: Language = {
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

const go: Language = {
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

const csharp: Language = {
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

export const languages: Record<LanguageName, Language> = { javascript, python, go, java, ruby, php, csharp, template };

let registered = false;

/**
 * Loads the grammars that ast-grep doesn't include, from packages with prebuilt libraries. Throws if one is missing for
 * this system.
 */
export function registerGrammars(): void {
  if (registered) return;
  const require = createRequire(import.meta.url);
  const names = ['python', 'go', 'java', 'ruby', 'php', 'csharp'];
  registerDynamicLanguage(Object.fromEntries(names.map((name) => [name, require(`@ast-grep/lang-${name}`)])));
  registered = true;
}
