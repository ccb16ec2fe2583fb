import { Lang } from '@ast-grep/napi';
import type { Language } from './language.ts';

/** JavaScript and TypeScript, whose grammars share all node kinds that the rules use. */
export const javascript: Language = {
  name: 'javascript',
  parsers: {
    js: Lang.JavaScript,
    jsx: Lang.JavaScript,
    mjs: Lang.JavaScript,
    cjs: Lang.JavaScript,
    ts: Lang.TypeScript,
    mts: Lang.TypeScript,
    cts: Lang.TypeScript,
    tsx: Lang.Tsx,
  },
  functions: [
    'function_declaration',
    'function_expression',
    'arrow_function',
    'method_definition',
    'generator_function_declaration',
    'generator_function',
  ],
  parameterFields: ['parameters', 'parameter'],
  assignments: {
    variable_declarator: ['name', 'value'],
    assignment_expression: ['left', 'right'],
    augmented_assignment_expression: ['left', 'right'],
    for_in_statement: ['left', 'right'],
  },
  augmented: ['augmented_assignment_expression'],
  blocks: ['statement_block', 'program', 'switch_case'],
  identifiers: ['identifier', 'shorthand_property_identifier', 'shorthand_property_identifier_pattern'],
  literals: ['string', 'number', 'regex', 'true', 'false', 'null', 'undefined', 'this', 'super'],
  templates: ['template_string'],
  templateTexts: ['string_fragment'],
  binaries: ['binary_expression'],
  calls: {
    call_expression: { name: ['function'], receiver: 'function' },
    new_expression: { name: ['constructor'], receiver: null },
  },
  members: { member_expression: 'object', subscript_expression: 'object' },
  inert: ['arrow_function', 'function_expression', 'class', 'unary_expression', 'update_expression', 'type_annotation'],
  conditionals: { ternary_expression: ['consequence', 'alternative'] },
  request:
    /^(?:(?:this\.)?(?:req|request|_req)\??\.(?:query|body|params|headers|cookies|signedCookies|url|originalUrl|path|hostname|files?|rawBody|payload|nextUrl|param\(|get\(|header\()|(?:this\.)?ctx\.(?:query|params|request\.(?:body|query|url|header)|headers|cookies|req\.)|(?:await )?(?:req|request)\.(?:json|text|formData)\(|event\.(?:queryStringParameters|pathParameters|body|headers|multiValueQueryStringParameters)|(?:(?:window|document|self)\.)?location\.(?:hash|search|href|pathname)\b|(?:window\.)?location$|document\.(?:URL|documentURI|referrer)\b|window\.name$|c\.req\.(?:query|param|json|header|parseBody|valid)\()/,
  requestPattern: /\{[^;=()]*\b(?:query|body|params|headers|cookies|files?|url|payload)\b[^;=()]*\}\s*[,=]/,
  sanitizers:
    /^(?:parseInt|parseFloat|Number|BigInt|Boolean|isNaN|encodeURIComponent|encodeURI|escape|escapeHtml|escapeHTML|he\.encode|_\.escape|validator\.\w+|DOMPurify\.\w+|sanitize\w*|xss|shellescape|shellQuote\.quote|quote|path\.basename|basename|\w*\.escape(?:Id|Literal|Identifier)?|format\.literal|format\.ident|Date|ObjectId|mongoose\.Types\.ObjectId|crypto\.\w+|\w*[Hh]ash\w*|uuid\w*|.*\.(?:length|indexOf|toFixed|getTime|digest|has|includes|test|startsWith|hash))$/,
  builders: /(?:^|\.)(?:concat|join|format|replace|replaceAll|sprintf|util\.format)$/,
  parameters: {
    ignored:
      /^(?:this|self|_|e|err|error|res|response|next|db|conn|connection|client|pool|logger|log|ctx|context|config|options|opts|cb|callback|done|resolve|reject|i|j|n|index|idx|len|length|count|size)$/,
    harmless: /:\s*(?:number|boolean|bigint|Date|unique symbol|keyof\b)/,
    request: /@(?:Query|Param|Body|Headers|Req|Cookies|UploadedFile)\(/,
    requestFunction: null,
  },
};
