import type { SgNode } from '@ast-grep/napi';
import { argumentsOf, findKinds, kindOf } from '../flow/syntax.ts';
import { countParameters } from '../flow/targets.ts';
import { languages } from '../languages/index.ts';
import { Declarations, enclosing } from './declarations.ts';

const { csharp } = languages;

const classKinds = ['class_declaration', 'interface_declaration', 'record_declaration', 'struct_declaration'];
const namespaces = {
  rule: { any: ['namespace_declaration', 'file_scoped_namespace_declaration'].map((kind) => ({ kind })) },
};

/** The owner of all extension methods: a call does not name their class. */
export const extension = 'extension';

/** Returns the names that a file of C# declares. Nested classes have their own names only. */
export function declareCSharp(root: SgNode): Declarations {
  const names = new Declarations();
  const statics: string[] = [];
  names.package =
    root
      .find(namespaces as never)
      ?.field('name')
      ?.text() ?? '';
  for (const node of findKinds(csharp, root, [...classKinds, 'using_directive'])) {
    if (kindOf(node) === 'using_directive') addUsing(names, statics, node);
    else addClass(names, node);
  }
  // The members of a class that is imported as static are called like inherited ones.
  for (const name of names.classes) for (const texts of statics) names.addBase(name, texts);
  return names;
}

const nameOf = (node: SgNode) => node.field('name')?.text() ?? null;
const lastOf = (name: string) => name.slice(name.lastIndexOf('.') + 1);

/** `using Shop.Users;`, `using static Shop.Texts;`, `using Users = Shop.Users.UserService;` */
function addUsing(names: Declarations, statics: string[], node: SgNode): void {
  const [, isGlobal, isStatic, alias, path] =
    /^(global\s+)?using\s+(static\s+)?(?:(\w+)\s*=\s*)?(?:global::)?([\w.]+)/.exec(node.text()) ?? [];
  if (path === undefined) return;
  if (alias !== undefined) {
    if (alias !== lastOf(path)) names.aliases.set(alias, lastOf(path));
  } else if (isStatic) statics.push(lastOf(path));
  else names.stars.push(isGlobal ? `${everywhere}${path}` : path);
}

/** Starts a namespace that is visible in every file. */
export const everywhere = '*';

export const enclosingClassOfCSharp = (node: SgNode) => {
  const around = enclosing(node, classKinds);
  return around && nameOf(around);
};

/** Returns the class in a type: `Users`, `Users<long>?`, `Shop.Users`; null for predefined types and arrays. */
export const typeOfCSharp = (type: SgNode | null): string | null =>
  /^(?:\w+(?:\.|::))*([A-Z]\w*)(?:<.*>)?\??$/s.exec(type?.text() ?? '')?.[1] ?? null;

function addClass(names: Declarations, node: SgNode): void {
  const name = nameOf(node);
  if (!name) return;
  names.classes.add(name);
  const children = node.namedChildren();
  const baseList = children.find((child) => kindOf(child) === 'base_list');
  for (const base of baseList?.namedChildren() ?? []) {
    const type = typeOfCSharp(base);
    if (type !== null) names.addBase(name, type);
  }
  const parameters = children.find((child) => kindOf(child) === 'parameter_list');
  for (const parameter of parameters?.namedChildren() ?? []) addField(names, name, parameter, parameter.field('type'));
  const members = node.field('body')?.namedChildren() ?? [];
  for (const member of members) {
    const kind = kindOf(member);
    if (kind === 'property_declaration') addField(names, name, member, member.field('type'));
    if (kind !== 'field_declaration') continue;
    const declaration = member.namedChildren().find((child) => kindOf(child) === 'variable_declaration');
    for (const variable of declaration?.namedChildren() ?? [])
      if (kindOf(variable) === 'variable_declarator') addField(names, name, variable, declaration!.field('type'));
  }
  addMethods(names, name, members);
}

/** Adds the class of a field, property or parameter; one that the declaration creates is more specific than its type. */
function addField(names: Declarations, owner: string, node: SgNode, type: SgNode | null): void {
  const own = nameOf(node);
  const value = node.namedChildren().at(-1);
  const found = (value && createdByCSharp(value)) ?? typeOfCSharp(type);
  if (own && found) names.aliases.set(`${owner}.${own}`, found);
}

/** Adds the methods with a body. The names of overloads end with their number of parameters. */
function addMethods(names: Declarations, owner: string, members: SgNode[]): void {
  const methods = members.flatMap((member) => {
    const isConstructor = kindOf(member) === 'constructor_declaration';
    if ((!isConstructor && kindOf(member) !== 'method_declaration') || !bodyOf(member)) return [];
    const own = isConstructor ? 'constructor' : nameOf(member)!;
    if (!isExtension(member)) return [{ member, name: `${owner}.${own}` }];
    names.aliases.set(`${owner}.${own}`, `${extension}.${own}`);
    return [{ member, name: `${extension}.${own}` }];
  });
  const counts = new Map<string, number>();
  for (const { name } of methods) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { member, name } of methods)
    names.addFunction(member, counts.get(name)! > 1 ? `${name}.${countParameters(csharp, member)}` : name);
}

const bodyOf = (method: SgNode) =>
  method.field('body') ?? method.namedChildren().find((child) => kindOf(child) === 'arrow_expression_clause') ?? null;

const isExtension = (method: SgNode): boolean => {
  const [first] = method.field('parameters')?.namedChildren() ?? [];
  return first?.namedChildren().some((child) => kindOf(child) === 'modifier' && child.text() === 'this') ?? false;
};

/** Returns the class of an object that an expression creates, or that it asks the container for. */
function createdByCSharp(value: SgNode): string | null {
  const kind = kindOf(value);
  if (kind === 'object_creation_expression') return typeOfCSharp(value.field('type'));
  if (kind !== 'invocation_expression') return null;
  return (
    /\.(?:GetRequiredService|GetService|Resolve)<(?:\w+\.)*([A-Z]\w*)(?:<.*>)?>$/s.exec(
      value.field('function')?.text() ?? '',
    )?.[1] ?? null
  );
}

/** Returns the class of a variable with a value: the created one, or the declared type. */
export function variableTypeOfCSharp(value: SgNode): string | null {
  const created = createdByCSharp(value);
  if (created !== null) return created;
  const around = value.parent();
  const declaration = around && kindOf(around) === 'variable_declarator' ? around.parent() : around;
  const isDeclared = declaration && /^(?:variable_declaration|foreach_statement)$/.test(kindOf(declaration));
  return isDeclared ? typeOfCSharp(declaration.field('type')) : null;
}

/** The part of a call's name that tells methods with the same name apart. */
export const arityOfCSharp = (call: SgNode, callee: string) =>
  `.${argumentsOf(call).length + (isExtensionName(callee) ? 1 : 0)}`;

export const isExtensionName = (callee: string): boolean => callee.startsWith(`${extension}.`);

/** Methods of .NET itself that are called on objects. */
const ofObjects = new RegExp(
  `^(?:${[
    'To(?:String|Lower|Upper|Array|List|Dictionary|HashSet|CharArray|Lookup|Base64)\\w*|Trim\\w*|Replace|Sub[a-z]+|Split|Insert|Remove\\w*|Pad\\w+|Concat|Contains\\w*|StartsWith|EndsWith|\\w*IndexOf\\w*|Equals|CompareTo|GetHashCode|GetType|Format|Join|Append\\w*|Clone|Normalize|AsSpan|AsMemory',
    'Add\\w*|Get(?:Value|String|Bytes|Enumerator|Async|StringAsync|Awaiter|Result|Item|Int32)\\w*|TryGet\\w*|Set(?:Value|String)?|Clear|Count\\w*|Any\\w*|All\\w*|First\\w*|Last\\w*|Single\\w*|ElementAt\\w*|Where|Select\\w*|OrderBy\\w*|ThenBy\\w*|GroupBy|Aggregate|Distinct\\w*|Take\\w*|Skip\\w*|Union|Except|Intersect|Reverse|Cast|OfType|Zip|Sum|Min\\w*|Max\\w*|Average|DefaultIfEmpty|ForEach|Find\\w*|AsEnumerable|AsQueryable|AsNoTracking|Include|ThenInclude|Push|Pop|Peek|Enqueue|Dequeue',
    'Read\\w*|Write\\w*|Copy\\w*|Flush\\w*|Close\\w*|Dispose\\w*|Open\\w*|Execute\\w*|Query\\w*|FromSql\\w*|Save\\w*|Send\\w*|Post\\w*|Put\\w*|Delete\\w*|Invoke\\w*|ConfigureAwait|Wait|ContinueWith|Start|Stop|Run|Load\\w*|Create\\w*|Build|Encode|Decode|Serialize\\w*|Deserialize\\w*|Encrypt|Decrypt|ComputeHash|Match\\w*|IsMatch|Log\\w*|Map\\w*|Use\\w*',
  ].join('|')})$`,
);

/**
 * Returns the name of an extension method that a call with an object may invoke; null for methods of .NET and for calls
 * on well-known classes.
 */
export function extensionOfCSharp(written: string): string | null {
  const [, method] = /\.\s*([A-Z]\w*)$/.exec(written.slice(-200)) ?? [];
  if (method === undefined || ofObjects.test(method) || /^[A-Z]\w*(?:\.[A-Z]\w*)*$/.test(written)) return null;
  return `${extension}.${method}`;
}

/** Methods that every controller and page has. */
const ofControllers =
  /^(?:Ok|View|PartialView|Json|Content|File|PhysicalFile|Redirect\w*|LocalRedirect\w*|NotFound|BadRequest|Unauthorized|Forbid|Challenge|StatusCode|Created\w*|Accepted\w*|NoContent|Conflict|Problem|ValidationProblem|Page|ViewComponent|Empty|SignIn|SignOut|TryUpdateModelAsync|TryValidateModel|nameof|InvokeAsync)$/;

/** Returns whether a name without an object may be a member of the class around it; `rest`: the path after it. */
export const isMemberOfCSharp = (name: string, rest: string) =>
  rest !== '' || (/^[A-Z]/.test(name) && !ofControllers.test(name));

/** Classes of .NET and members of controllers. */
const standard =
  /^(?:Request|Response|HttpContext|Context|Url|ModelState|TempData|ViewData|ViewBag|RouteData|Session|Server|Html|System|Microsoft|String|Int\d+|Guid|DateTime\w*|TimeSpan|Math\w*|Convert|Console|Environment|Array|List|IList|Dictionary|IDictionary|HashSet|IEnumerable|ICollection|IQueryable|Enumerable|Queryable|Tuple|Nullable|Enum|Object|Type|Activator|Assembly|Task|ValueTask|Thread|Interlocked|Monitor|Func|Action|Predicate|Lazy|Random\w*|Regex|Match|StringBuilder|Encoding|Path|File\w*|Directory\w*|Stream\w*|MemoryStream|Process\w*|Uri\w*|HttpClient|IHttpClientFactory|WebClient|WebRequest|HttpUtility|WebUtility|Json\w*|Xml\w*|XDocument|XElement|Sql\w*|Db\w*|ILogger|IConfiguration|IMemoryCache|IDistributedCache|IServiceProvider|IMapper|IMediator|UserManager|SignInManager|CancellationToken|Results|TypedResults|\w+(?:Exception|Attribute))$/;

/** Returns whether a name that the file does not declare may be a class of another file. */
export const isOwnNameOfCSharp = (name: string) => /^[A-Z]\w*$/.test(name) && !standard.test(name);
