import type { SgNode } from '@ast-grep/napi';
import { argumentsOf, kindOf, withoutQuotes } from '../flow/syntax.ts';
import { languages } from '../languages/index.ts';
import { Declarations } from './declarations.ts';
import { hiddenAction, outside } from './rails.ts';

const { ruby } = languages;

const classKinds = /^(?:class|module)$/;
const maxVariables = 2_000;
const variableAssignment = {
  rule: {
    any: ['assignment', 'operator_assignment'].map((kind) => ({
      kind,
      has: { field: 'left', kind: 'instance_variable' },
    })),
  },
};

/**
 * Returns the names that a file of Ruby declares. Those of classes and modules contain the modules around them, and the
 * methods of a class and of its instances share one name. A class's instance variable counts as a function that returns
 * what the methods assign.
 */
export function declareRuby(root: SgNode): Declarations {
  const names = new Declarations();
  const hidden = new Set<number>();
  addMembers(names, hidden, outside, root);
  addVariables(names, hidden, root);
  return names;
}

const dotted = (name: string) => name.replace(/^::/, '').replaceAll('::', '.');
const nameOf = (node: SgNode) => dotted(node.field('name')?.text() ?? '');

/** Returns the class or module around a node, with the modules around it. */
export function enclosingClassOfRuby(node: SgNode): string {
  const around = node.ancestors().filter((ancestor) => classKinds.test(kindOf(ancestor)));
  return around.length === 0 ? outside : around.reverse().map(nameOf).join('.');
}

/** Adds the members of a class, and those of the classes in it. Methods after `private` are noted as hidden. */
function addMembers(names: Declarations, hidden: Set<number>, owner: string, body: SgNode | null): void {
  let isHidden = false;
  for (const member of body?.namedChildren() ?? []) {
    const kind = kindOf(member);
    if (kind === 'class' || kind === 'module') addClass(names, hidden, owner, member);
    else if (kind === 'singleton_class' || kind === 'begin' || kind === 'if' || kind === 'unless')
      addMembers(names, hidden, owner, member.field('body') ?? member.field('consequence') ?? member);
    else if (/^(?:private|protected|public)$/.test(kind === 'identifier' ? member.text() : ''))
      isHidden = member.text() !== 'public';
    else if (kind === 'method' || kind === 'singleton_method') {
      names.addFunction(member, `${owner}.${member.field('name')?.text()}`);
      if (isHidden) hidden.add(member.id());
    } else if (kind === 'alias' || kind === 'call') addMember(names, hidden, owner, member);
  }
}

function addClass(names: Declarations, hidden: Set<number>, around: string, node: SgNode): void {
  const name = around === outside ? nameOf(node) : `${around}.${nameOf(node)}`;
  names.classes.add(name);
  const superclass = node.field('superclass')?.namedChildren()[0];
  if (superclass && /^(?:constant|scope_resolution)$/.test(kindOf(superclass)))
    names.addBase(name, dotted(superclass.text()));
  // A module's `ClassMethods` become methods of the classes that include it.
  const [, owner] = /^(.*)\.(?:ClassMethods|InstanceMethods)$/.exec(name) ?? [];
  if (owner !== undefined) names.addBase(owner, name);
  addMembers(names, hidden, name, node.field('body'));
}

/** Adds what a declaration in the body of a class means: `include Finding`, `has_many :issues`, `scope :named, -> …`. */
function addMember(names: Declarations, hidden: Set<number>, owner: string, member: SgNode): void {
  const kind = kindOf(member);
  if (kind === 'alias') {
    const [own, other] = member.namedChildren();
    if (own && other) names.aliases.set(`${owner}.${own.text()}`, `${owner}.${other.text()}`);
  }
  if (kind !== 'call' || member.field('receiver')) return;
  const method = member.field('method')?.text() ?? '';
  const given = argumentsOf(member);
  const plain = given.filter(({ name }) => name === null).map(({ value }) => value);
  const [first, second] = plain;
  if (/^(?:included|class_methods|prepended|concerning|namespace)$/.test(method))
    addMembers(names, hidden, owner, member.field('block')?.field('body') ?? null);
  else if (/^(?:include|extend|prepend)$/.test(method)) {
    for (const module of plain)
      if (/^(?:constant|scope_resolution)$/.test(kindOf(module))) names.addBase(owner, dotted(module.text()));
  } else if (!first || !/symbol|string/.test(kindOf(first))) return;
  else if (/^(?:has_many|has_one|belongs_to|has_and_belongs_to_many)$/.test(method)) {
    const named = given.find(({ name }) => name === 'class_name' || name === ':class_name')?.value;
    names.aliases.set(`${owner}.${symbolOf(first)}`, named ? dotted(withoutQuotes(named.text())) : classify(first));
  } else if (/^(?:scope|named_scope)$/.test(method)) {
    if (second && kindOf(second) === 'lambda') names.addFunction(second, `${owner}.${symbolOf(first)}`);
  } else if (method === 'alias_method' && second)
    names.aliases.set(`${owner}.${symbolOf(first)}`, `${owner}.${symbolOf(second)}`);
  else if (method === 'delegate') {
    const target = given.find(({ name }) => name === 'to' || name === ':to')?.value;
    if (target && /symbol/.test(kindOf(target)))
      for (const one of plain)
        names.aliases.set(`${owner}.${symbolOf(one)}`, `${owner}.${symbolOf(target)}.${symbolOf(one)}`);
  }
}

const symbolOf = (node: SgNode) => withoutQuotes(node.text().replace(/^:/, ''));

/** Returns the class of an association, as Rails names it: `:sales_orders` → `SalesOrder`. */
function classify(name: SgNode): string {
  const words = symbolOf(name).split('_');
  const last = words.pop()!;
  const singular = last
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  return [...words, singular].map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/**
 * Adds the instance variables of each class, with what its methods assign: `Users.@name`, and for the view of an action
 * what that action and the methods that no request calls assign: `Users.@name.show`.
 */
function addVariables(names: Declarations, hidden: ReadonlySet<number>, root: SgNode): void {
  const assigned = root.findAll(variableAssignment as never).slice(0, maxVariables);
  const variables = new Map<string, Array<{ action: string; value: SgNode }>>();
  for (const node of assigned) {
    const [left, value] = [node.field('left')!, node.field('right')];
    if (!value || ruby.literals.includes(kindOf(value))) continue;
    const variable = `${enclosingClassOfRuby(node)}.${left.text()}`;
    const method = node.ancestors().find((ancestor) => /^(?:singleton_)?method$/.test(kindOf(ancestor)));
    const action = !method || hidden.has(method.id()) ? hiddenAction : (method.field('name')?.text() ?? hiddenAction);
    variables.set(variable, [...(variables.get(variable) ?? []), { action, value }]);
    const type = classOfRuby(value);
    if (type !== null && !names.aliases.has(variable)) names.aliases.set(variable, type);
  }
  for (const [variable, values] of variables)
    for (const { action, value } of values) {
      names.addValue(variable, value);
      const others = new Set(action === hiddenAction ? values.map((one) => one.action) : [action]);
      for (const other of others) names.addValue(`${variable}.${other}`, value);
    }
}

const created =
  /^(?:::)?([A-Z]\w*(?:::[A-Z]\w*)*)\.(?:new\b(?:\s*\(.*\))?$|(?:find|find_by\w*|find_or_\w+|first|last|take|create|build|where|all|order|includes|joins)\b)/s;

/** Returns the class of which a value is an instance or a relation: `Users.new(…)`, `User.find(…)`, `User.where(…)`. */
export const classOfRuby = (value: SgNode): string | null => {
  if (kindOf(value) !== 'call') return null;
  const name = created.exec(value.text().slice(0, 2_000))?.[1];
  return name === undefined ? null : dotted(name);
};

/** Methods that every object has, of controllers and of views. */
const bareMethods = new RegExp(
  `^(?:${[
    'require|require_relative|load|raise|fail|puts|print|pp?|warn|format|sprintf|printf|gets|loop|lambda|proc|catch|throw|sleep|rand|srand|exit!?|abort|at_exit|system|exec|spawn|fork|open|binding|caller|eval|Array|Integer|Float|String|Hash|Rational|attr_\\w+|include|extend|prepend|define_method|private\\w*|protected|public|module_function|block_given\\?|freeze|dup|clone|tap|then|send|public_send|method|methods|respond_to\\?|is_a\\?|kind_of\\?|instance_\\w+|class|object_id|hash|inspect|to_\\w+|nil\\?',
    'params|request|response|session|cookies|flash|headers|render\\w*|redirect_to|redirect_back\\w*|head|send_file|send_data|respond_to|respond_with|format|url_for|\\w+_(?:path|url)|before_\\w+|after_\\w+|around_\\w+|skip_\\w+|helper\\w*|layout|protect_from_forgery|rescue_from|logger|controller_name|action_name|controller|t|l|translate|localize|I18n|cache|content_for\\w*|yield|fresh_when|stale\\?|authenticate_or_\\w+',
    'h|raw|html_escape|link_to\\w*|button_to|mail_to|image_\\w+|javascript_\\w+|stylesheet_\\w+|asset_\\w+|content_tag|tag|capture|concat|safe_join|simple_format|truncate|pluralize|number_\\w+|time_ago_in_words|distance_of_time\\w*|cycle|sanitize|strip_tags|\\w+_tag|form_\\w+|fields_for|label|\\w+_field|text_area|check_box|radio_button|select|options_\\w+|collection_\\w+|submit|error_messages\\w*|escape_javascript|j|csrf_\\w+|provide|debug',
  ].join('|')})$`,
);

/** Methods of records and relations. */
const recordMethods = new RegExp(
  `^(?:${[
    'where|find\\w*|order|reorder|joins|left_joins|includes|preload|eager_load|references|select|pluck|pick|group|having|limit|offset|distinct|none|all|first|last|take|exists\\?|count|sum|average|minimum|maximum|update\\w*|create!?|build|save!?|destroy\\w*|delete\\w*|insert\\w*|upsert\\w*|transaction|connection|sanitize_sql\\w*|quoted_\\w+|table_name|column_names|arel_table|unscoped|merge|validates?\\w*|has_\\w+|belongs_to|scope|errors|attributes|read_attribute|write_attribute|reload|touch|id|class_name|constantize|connection_pool|execute|exec_\\w+|select_\\w+|quote\\w*',
  ].join('|')})$`,
);

const constants = /^(?:::)?([A-Z]\w*(?:::[A-Z]\w*)*)/;

/**
 * Returns the name of a call's function with a plain path before it: `User.visible.search` becomes `User.search`,
 * `Search.new` the constructor, and a call without an object one of `self`; null for functions of Ruby and Rails.
 */
export function calleeOfRuby(written: string): string | null {
  if (written.startsWith('@') && /^@\w+$/.test(written)) return `self.${written}`;
  const method = /(?:^|[.&:\s])([\w]+[?!]?)$/.exec(written.slice(-200))?.[1];
  if (method === undefined) return null;
  const before = written.slice(0, -method.length).replace(/(?:&?\.|::)\s*$/, '');
  if (method === 'new')
    return `${before === '' || /^self(?:\.class)?$/.test(before) ? 'self' : (constantIn(before) ?? '?')}.initialize`;
  if (recordMethods.test(method)) return null;
  if (before === '') return bareMethods.test(method) ? null : `self.${method}`;
  const constant = constantIn(before);
  if (constant !== null) return `${constant}.${method}`;
  const [, head] = /^(self|@\w+|[a-z_]\w*)(?=$|[.&])/.exec(before) ?? [];
  return head === undefined ? null : `${head.startsWith('@') ? `self.${head}` : head}.${method}`;
}

const constantIn = (text: string) => {
  const name = constants.exec(text)?.[1];
  return name === undefined ? null : dotted(name);
};

/** Classes of Ruby itself and of well-known libraries. */
const standard =
  /^(?:File\w*|IO|Dir|Kernel|Process|Open3|Pathname|Tempfile|String\w*|Integer|Float|Numeric|Array|Hash|Set|Struct|OpenStruct|Symbol|Regexp|Range|Object|Module|Class|Proc|Method|Time|Date\w*|Comparable|Enumerable|Enumerator|Exception|\w+Error|Thread|Mutex|Queue|Fiber|ENV|ARGV|STDIN|STDOUT|STDERR|JSON|YAML|Psych|CSV|ERB|CGI|URI|Net|OpenURI|OpenSSL|Digest|Base64|SecureRandom|Random|Math|Marshal|Shellwords|Timeout|Logger|Benchmark|Socket|TCPSocket|Zlib|Zip|REXML|Nokogiri|Rails|ActiveRecord|ActiveModel|ActiveSupport|ActiveJob|ActiveStorage|ActionController|ActionView|ActionDispatch|ActionMailer|ActionCable|Arel|Rack|Sinatra|Sequel|Redis|Mysql2|PG|SQLite3|Faraday|HTTParty|RestClient|Excon|Typhoeus|HTTP|Devise|Warden|JWT|BCrypt|I18n|Mail|Sidekiq|Liquid|Haml|Slim|Tilt|Gem|Bundler|GC|ObjectSpace|RUBY_\w+)(?:\.|$)/;

/** Returns whether a name that the file does not declare may be a class of another file. */
export const isOwnNameOfRuby = (name: string) => /^[A-Z]/.test(name) && !standard.test(name);
