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
  request:
    /^(?:(?:flask\.)?(?:self\.)?request\.(?:args|form|values|json|data|files|cookies|headers|get_json|get_data|GET|POST|COOKIES|META|FILES|body|query_params|path_params|query_string|full_path|url|rel_url|match_info|get_full_path|query|params|REQUEST|stream|matchdict)\b|(?:await )?request\.(?:json|form|body|post|text)\(|self\.get_(?:query_|body_)?arguments?\(|bottle\.request\.|cherrypy\.request\.)/,
  sanitizers:
    /^(?:int|float|bool|len|hash|id|ord|Decimal|UUID|uuid\.\w+|date|datetime|shlex\.(?:quote|split|join)|quote|pipes\.quote|escape|html\.escape|markupsafe\.escape|conditional_escape|bleach\.clean|nh3\.clean|secure_filename|werkzeug\.utils\.secure_filename|os\.path\.basename|safe_join|flask\.safe_join|url_for|reverse|resolve_url|quote_plus|urlencode|(?:urllib\.)?(?:parse\.)?quote(?:_plus)?|urllib\.parse\.urlencode|re\.escape|escape_filter_chars|ldap\.filter\.\w+|sql\.\w+|psycopg2\.sql\.\w+|.*\.(?:quote_name|quote_ident|mogrify|escape_string|isdigit|hexdigest|digest|index|count|bindparam)|range|sorted_columns|type|isinstance|min|max|sum|round|abs|hashlib\.\w+|frozenset|enumerate_choices|get_object_or_404)$/,
  builders: /(?:^|\.)(?:format|format_map|join|replace|Template|substitute)$/,
  parameters: {
    ignored:
      /^(?:self|cls|mcs|_|request|req|db|conn|connection|cursor|cur|session|engine|logger|log|ctx|context|config|settings|i|j|n|k|idx|index|count|size|length|limit|offset|args|kwargs)$/,
    harmless:
      /:\s*(?:Optional\[)?(?:int|float|bool|UUID|uuid\.UUID|datetime|date|Decimal|bytes|Callable|Type\[|Literal\[)/,
    request: /=\s*(?:fastapi\.)?(?:Query|Path|Body|Form|Header|Cookie)\(/,
    requestFunction:
      /@\w*(?:app|router|blueprint|bp|api|views?)\w*\.(?:route|get|post|put|patch|delete|websocket)\(|^\s*(?:async )?def \w+\(\s*request\b/m,
  },
};
