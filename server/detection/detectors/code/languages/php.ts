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
  request:
    /^(?:\$_(?:GET|POST|REQUEST|COOKIE|FILES)\b|\$_SERVER\[\s*['"](?:HTTP_(?!HOST['"])\w+|QUERY_STRING|REQUEST_URI|PHP_SELF|PATH_INFO|PHP_AUTH_\w+)['"]|\$(?:this->)?request->(?:input|query|get|post|all|cookie|header|json|request->get|query->get|cookies->get|headers->get|getParam|getQueryParams|getParsedBody|getQuery|getPost|getContent|only|route|file)\b|filter_input\(\s*INPUT_(?:GET|POST|COOKIE)\s*,\s*[^,()]+\)$|file_get_contents\(\s*['"]php:\/\/input|(?:Input|Request)::(?:get|all|input|post)\(|request\(\s*['"])/,
  sanitizers:
    /^(?:intval|floatval|boolval|abs|count|strlen|sizeof|round|floor|ceil|number_format|htmlspecialchars|htmlentities|strip_tags|esc_\w+|e|addslashes_gpc|escapeshellarg|escapeshellcmd|mysqli?_real_escape_string|pg_escape_\w+|sqlite_escape_string|urlencode|rawurlencode|http_build_query|basename|md5|sha1|hash|crc32|bin2hex|base64_encode|json_encode|sanitize_\w+|wp_kses\w*|absint|ctype_\w+|is_\w+|in_array|isset|empty|preg_quote|filter_var|uniqid|time|date|strtotime|ldap_escape|password_hash|wp_safe_redirect|wp_validate_redirect|route|url|.*\.(?:quote|real_escape_string|escape|escapeString|prepare|quoteIdentifier|validate|validated|escapeHtml|purify|esc_like)|Html\.(?:encode|escape))$/,
  builders: /^(?:sprintf|vsprintf|implode|join|str_replace|str_ireplace|substr_replace|preg_replace)$/,
  parameters: {
    ignored:
      /^\$(?:_|this|db|pdo|conn|connection|mysqli|wpdb|request|response|options|config|i|n|count|limit|offset|id_?list)$/,
    harmless: /^\s*\??(?:int|float|bool|array|callable|iterable|[A-Z]\w*|\\\w[\w\\]*)\s+[&.]*\$/,
    request: null,
    requestFunction: null,
  },
  completePattern(pattern) {
    const selector = selectors.find(([form]) => form.test(pattern))?.[1];
    return selector ? { context: `<?php ${pattern};`, selector } : pattern;
  },
};
