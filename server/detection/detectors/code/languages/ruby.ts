import type { Language } from './language.ts';

export const ruby: Language = {
  name: 'ruby',
  parsers: { rb: 'ruby', rake: 'ruby' },
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
  request:
    /^(?:params\b(?!\s*=)(?!.*\.(?:permit|to_i)\b)|cookies\[|request\.(?:params|query_string|GET|POST|headers|path|fullpath|url|original_url|referer|referrer|body|raw_post|env|cookies|query_parameters|request_parameters|user_agent|host)\b)/,
  sanitizers:
    /^(?:Integer|Float|Shellwords\.(?:escape|shellescape|join|split)|CGI\.(?:escape|escapeHTML)|ERB::Util\.\w+|h|html_escape|sanitize|strip_tags|escape_javascript|j|File\.basename|URI\.(?:encode_www_form_component|encode_www_form)|sanitize_sql\w*|Regexp\.escape|Rack::Utils\.escape\w*|ActiveRecord::Base\.sanitize_sql\w*|.*\.(?:to_i|to_f|to_sym_safe|shellescape|quote|quote_table_name|quote_column_name|sanitize_sql\w*|length|size|count|permit|present\?|blank\?|nil\?|hexdigest|find|find_by|where|constantize_safe|arel_table|table_name|id|quoted_\w+))$/,
  builders: /(?:^|\.)(?:format|sprintf|join|concat|gsub|sub|replace)$/,
  parameters: {
    ignored:
      /^(?:_|self|conn|connection|db|logger|options|opts|args|block|context|config|i|n|index|count|size|limit|offset)$/,
    harmless: /^$/,
    request: null,
    requestFunction: null,
  },
};
