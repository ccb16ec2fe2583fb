import type { Language } from './language.ts';

export const csharp: Language = {
  name: 'csharp',
  parsers: { cs: 'csharp' },
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
  request:
    /^(?:(?:this\.)?(?:HttpContext\.|context\.|httpContext\.|HttpContext\.Current\.|Context\.)?Request\.(?:Query|QueryString|Form|Headers|Cookies|Params|Path|RawUrl|Url|Body|InputStream|Files|RouteValues|Item|\[)|(?:this\.)?Request\[|(?:req|request)\.(?:Query|Form|Headers|Cookies|QueryString)\b|RouteData\.Values)/,
  sanitizers:
    /^(?:(?:int|long|double|decimal|float|bool|Guid|DateTime|Convert|Int32|Int64|Enum)\.\w+|(?:System\.Web\.)?(?:HttpUtility|WebUtility|AntiXssEncoder|Encoder|Uri|HtmlEncoder|UrlEncoder|JavaScriptEncoder)\..*|Path\.GetFileName|(?:System\.IO\.)?Path\.GetFileName|.*\.(?:Encode|Length|Count|IndexOf|Contains|Equals|GetHashCode|HtmlEncode|UrlEncode|ComputeHash|IsNullOrEmpty|StartsWith|EndsWith)|Regex\.Escape|nameof|Url\.(?:Action|RouteUrl|Page)|.*[Ss]anitize\w*|.*Escape\w*)$/,
  builders: /(?:^|\.)(?:Format|Concat|Join|Append|AppendFormat|AppendLine|Replace|ToString|Insert|StringBuilder)$/,
  parameters: {
    ignored: /^(?:_|request|response|context|httpContext)$/,
    harmless: /^(?!.*\b(?:string|String|object|dynamic|T)\b).*$/s,
    request: /\[From(?:Query|Body|Route|Form|Header)\b/,
    requestFunction:
      /\[(?:Http(?:Get|Post|Put|Delete|Patch)|Route|WebMethod)\b|\b(?:IActionResult|ActionResult|JsonResult|ViewResult|ContentResult)\b/,
  },
};
