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
  request:
    /^(?:(?:r|req|request|ctx\.Request|c\.Request)\.(?:URL\.(?:Query\(|Path|RawQuery|RequestURI|String\()|FormValue\(|PostFormValue\(|PathValue\(|Form\b|PostForm\b|Header\.|Header\[|Body\b|RequestURI|Host\b|Cookie\(|Referer\(|UserAgent\()|(?:c|ctx|gc|e)\.(?:Query|QueryParam|DefaultQuery|Param|Params|PostForm|DefaultPostForm|FormValue|GetHeader|Cookie|GetRawData|GetQuery|QueryArray)\(|mux\.Vars\(|chi\.URLParam\()/,
  sanitizers:
    /^(?:strconv\.(?:Atoi|ParseInt|ParseUint|ParseFloat|ParseBool|Quote|Itoa|FormatInt)|int|int64|uint|uint64|float64|len|cap|html\.EscapeString|template\.(?:HTMLEscapeString|JSEscapeString|URLQueryEscaper|HTMLEscaper)|url\.(?:QueryEscape|PathEscape)|filepath\.Base|path\.Base|pq\.(?:QuoteIdentifier|QuoteLiteral)|pgx\.Identifier|regexp\.QuoteMeta|ldap\.EscapeFilter|uuid\.(?:Parse|MustParse|FromString)|shellescape\.Quote|filepath\.Localize|.*\.(?:Sanitize|Len|String\(\)\.Len|EscapeString))$/,
  builders: /^(?:fmt\.(?:Sprintf|Sprint|Sprintln|Appendf)|strings\.(?:Join|Replace|ReplaceAll|Replacer)|bytes\.Join)$/,
  parameters: {
    ignored: /^(?:_|ctx|w|r|db|tx|conn|t|b|log|logger|err)$/,
    harmless: /^(?!.*(?:string|\[\]byte|interface\{\}|\bany\b)).*$/s,
    request: null,
    requestFunction: null,
  },
  completePattern: (pattern) =>
    pattern.endsWith(')') ? { context: `package a\nfunc a() { ${pattern} }`, selector: 'call_expression' } : pattern,
};
