import type { SgNode } from '@ast-grep/napi';
import { findKinds, kindOf } from '../flow/syntax.ts';
import { languages } from '../languages/index.ts';
import { type Alias, Declarations, enclosing } from './declarations.ts';

const { php } = languages;

const classKinds = ['class_declaration', 'interface_declaration', 'trait_declaration', 'enum_declaration'];
const separator = '\\';

/** Returns the names that a file of PHP declares and imports. Its functions and classes are visible in every file. */
export function declarePhp(root: SgNode): Declarations {
  const names = new Declarations();
  const [namespace] = findKinds(php, root, ['namespace_definition']);
  names.package = namespace?.field('name')?.text() ?? '';
  for (const node of findKinds(php, root, ['namespace_use_declaration'])) addUse(names, node);
  for (const node of findKinds(php, root, classKinds)) addClass(names, node);
  for (const node of findKinds(php, root, ['function_definition'])) {
    const name = node.field('name')?.text();
    if (name) names.addFunction(node, name);
  }
  return names;
}

/** Splits `App\Models\User` into the namespace and the name. */
function splitName(path: string): [namespace: string, name: string] {
  const own = path.replace(/^\\/, '');
  const at = own.lastIndexOf(separator);
  return [own.slice(0, Math.max(0, at)), own.slice(at + 1)];
}

/** `use App\Models\User;`, `use App\Models\{Post, Tag as Label};`, `use function App\clean;` */
function addUse(names: Declarations, node: SgNode): void {
  const group = node.namedChildren().find((child) => kindOf(child) === 'namespace_use_group');
  const prefix = group ? `${node.namedChildren()[0]?.text()}${separator}` : '';
  for (const clause of (group ?? node).namedChildren()) {
    if (kindOf(clause) !== 'namespace_use_clause') continue;
    const parts = clause.namedChildren();
    const alias: Alias = splitName(`${prefix}${parts[0]?.text() ?? ''}`);
    names.aliases.set(parts.length > 1 ? parts.at(-1)!.text() : alias[1], alias);
  }
}

const nameOf = (node: SgNode) => node.field('name')?.text() ?? null;

export const enclosingClassOfPhp = (node: SgNode) => {
  const around = enclosing(node, classKinds);
  return around && nameOf(around);
};

/** Returns the class in a type: `Users`, `?Users`, `\App\Users`; null for other types. */
export function typeOfPhp(type: SgNode | null): string | null {
  const name = /^\??((?:\\?[A-Za-z_]\w*)+)(?:\|null)?$/.exec(type?.text() ?? '')?.[1];
  return name && /^\\?(?:\w+\\)*[A-Z]\w*$/.test(name) ? name : null;
}

/** `new Users($db)`, and what a container creates: `app(Users::class)`, `$container->get(Users::class)` */
export function createdByPhp(value: SgNode): string | null {
  if (kindOf(value) === 'object_creation_expression') {
    const name = value.namedChildren()[0]?.text() ?? '';
    return /^\\?(?:\w+\\)*[A-Z]\w*$/.test(name) ? name : null;
  }
  const text = value.text();
  return /^[\w$>-]{0,60}\b(?:app|resolve|make|get)\(\s*(\\?(?:\w+\\)*[A-Z]\w*)::class\s*\)$/.exec(text)?.[1] ?? null;
}

const fieldName = (node: SgNode | null) => node?.text().replace(/^\$/, '') ?? '';

function addClass(names: Declarations, node: SgNode): void {
  const name = nameOf(node);
  if (!name) return;
  names.classes.add(name);
  const members = node.field('body')?.namedChildren() ?? [];
  const lists = [...node.children(), ...members].filter((child) =>
    /^(?:base_clause|class_interface_clause|use_declaration)$/.test(kindOf(child)),
  );
  for (const list of lists)
    for (const base of list.namedChildren()) if (/name$/.test(kindOf(base))) names.addBase(name, base.text());
  for (const member of members) {
    const kind = kindOf(member);
    if (kind === 'property_declaration') addField(names, name, member);
    if (kind !== 'method_declaration' || !member.field('body')) continue;
    const own = nameOf(member);
    if (own) names.addFunction(member, `${name}.${own}`);
    addAssigned(names, name, member);
  }
}

/** `private Users $users;`, and the type in the comment before it: `@var Users`. */
function addField(names: Declarations, owner: string, node: SgNode): void {
  const before = node.prev();
  const described = before && kindOf(before) === 'comment' ? /@var\s+(\\?[\w\\]+)/.exec(before.text())?.[1] : undefined;
  const type =
    typeOfPhp(node.field('type')) ?? (described && /^\\?(?:\w+\\)*[A-Z]\w*$/.test(described) ? described : null);
  for (const element of node.namedChildren())
    if (kindOf(element) === 'property_element' && type)
      names.aliases.set(`${owner}.${fieldName(element.namedChildren()[0] ?? null)}`, type);
}

/** Fields that a method assigns: an object it creates, or a parameter with a type, promoted ones included. */
function addAssigned(names: Declarations, owner: string, method: SgNode): void {
  const types = new Map<string, string>();
  for (const parameter of method.field('parameters')?.namedChildren() ?? []) {
    const type = typeOfPhp(parameter.field('type'));
    const own = fieldName(parameter.field('name'));
    if (!type) continue;
    types.set(own, type);
    if (kindOf(parameter) === 'property_promotion_parameter') names.aliases.set(`${owner}.${own}`, type);
  }
  for (const assignment of findKinds(php, method, ['assignment_expression'])) {
    const field = /^\$this->(\w+)$/.exec(assignment.field('left')?.text() ?? '')?.[1];
    const value = assignment.field('right');
    if (!field || !value) continue;
    const type = createdByPhp(value) ?? types.get(fieldName(value));
    if (type) names.aliases.set(`${owner}.${field}`, type);
  }
}

/** Functions of PHP itself, WordPress and Laravel. */
const standard = new RegExp(
  `^(?:${[
    '(?:str|array|preg|mb|is|json|base64|file|iconv|ctype|mysqli?|pg|sqlite|oci|odbc|ldap|curl|openssl|hash|password|random|session|http|image|exif|xml|simplexml|dom|libxml|zip|gz|ftp|socket|stream|posix|pcntl|shell|proc|get|func|call|class|method|property|ini|set|spl|iterator|filter|var|debug|ob|output|esc|sanitize|wp|apcu?|opcache|memory|gc|sys|parse|register|utf8|html|quoted|convert|money|number|date|time|sodium|hex|bin|error|trigger|mt|gettext)_\\w+',
    'str(?:len|pos|rpos|ipos|str|istr|rchr|rev|tr|cmp|casecmp|ncmp|ncasecmp|tolower|toupper|totime|ftime|val|spn|cspn|pbrk)|substr\\w*|html\\w{5,}|url(?:en|de)code|rawurl(?:en|de)code|ucfirst|ucwords|lcfirst|l?trim|rtrim|chop|nl2br|addc?slashes|strip(?:c?slashes|_tags)|sprintf|vsprintf|printf|vprintf|fprintf|implode|explode|join|wordwrap|nl_langinfo|chr|ord|bin2hex|hex2bin|dechex|hexdec|bindec|octdec|md5|sha1|crc32|uniqid|levenshtein|soundex|metaphone|similar_text',
    'count|sizeof|in_array|range|compact|extract|list|each|current|key|next|prev|reset|end|[uak]?[r]?sort|u[ak]sort|shuffle|max|min|abs|floor|ceil|round|pow|sqrt|intdiv|rand|intval|floatval|boolval|settype|gettype|serialize|unserialize|define|defined|constant|function_exists|isset|empty|unset|exit|die|echo|eval|exec|system|passthru|popen|escapeshell\\w+|mail|header\\w*|setcookie|sleep|usleep|date|time|mktime|checkdate|microtime|idate|gmdate|phpinfo|phpversion|pack|unpack',
    'f(?:open|close|gets|getc|getcsv|putcsv|read|write|puts|seek|eof|stat|flush|lock|tell|passthru|ilesize|ilemtime|nmatch)|file|readfile|copy|rename|unlink|mkdir|rmdir|touch|tempnam|tmpfile|basename|dirname|pathinfo|realpath|glob|scandir|opendir|readdir|closedir|chmod|chown|stat|symlink|link|move_uploaded_file|is\\w+',
    'add_(?:action|filter|query_arg|option|shortcode)|apply_filters|do_action|absint|checked|selected|view|redirect|response|request|config|env|app|abort|back|url|route|asset|trans|auth|session|cookie|old|event|dispatch|logger|collect|now|optional|tap|value|with|e|t|__|_[exn]',
  ].join('|')})$`,
);

const standardClasses =
  /^\\?(?:PDO\w*|mysqli\w*|SQLite3\w*|Date\w+|SimpleXML\w*|DOM\w+|XML\w+|Array(?:Object|Iterator)|Spl\w+|\w*(?:Exception|Error)|Closure|Generator|Imagick\w*|ZipArchive|Reflection\w+|Soap\w+|Intl\w*|NumberFormatter|stdClass|Memcached?|Redis\w*|finfo|WP_\w+)$/;

/** Returns whether a name that the file neither declares nor imports may be a class or function of another file. */
export const isOwnNameOfPhp = (name: string): boolean => {
  if (/^\\|^[A-Z]/.test(name)) return !standardClasses.test(name);
  return /^[a-z_]\w+$/.test(name) && !standard.test(name);
};

/** Returns whether a namespace may be in the same repository. */
export const isOwnNamespaceOfPhp = (name: string) =>
  !/^(?:Illuminate|Symfony|Laravel|Psr|Doctrine|Monolog|GuzzleHttp|Twig|PHPUnit|Carbon|League|Laminas|Zend|Ramsey)(?:\\|$)/.test(
    name,
  );
