import type { SgNode } from '@ast-grep/napi';
import type { FileIndex } from '../flow/file-index.ts';
import { kindOf, spanOf } from '../flow/syntax.ts';
import type { Language, LanguageName } from '../languages/language.ts';
import {
  arityOfCSharp,
  declareCSharp,
  enclosingClassOfCSharp,
  extensionOfCSharp,
  isMemberOfCSharp,
  isOwnNameOfCSharp,
  typeOfCSharp,
  variableTypeOfCSharp,
} from './csharp.ts';
import { type Declarations, headOf } from './declarations.ts';
import { arity } from './definition.ts';
import { declareGo, isOwnNameOfGo, isOwnPackageOfGo, receiverTypeOfGo, typeOfGo, variableTypeOfGo } from './go.ts';
import {
  arityOfJava,
  declareJava,
  enclosingClassOfJava,
  isOwnNameOfJava,
  isOwnPackageOfJava,
  typeOfJava,
  variableTypeOfJava,
} from './java.ts';
import { declareJavaScript, enclosingClassOfJavaScript, typeName } from './javascript.ts';
import { hasOpenClasses } from './open-classes.ts';
import {
  createdByPhp,
  declarePhp,
  enclosingClassOfPhp,
  isOwnNameOfPhp,
  isOwnNamespaceOfPhp,
  typeOfPhp,
} from './php.ts';
import { annotatedClass, constructedBy, declarePython, enclosingClassOfPython } from './python.ts';
import { calleeOfRuby, classOfRuby, declareRuby, enclosingClassOfRuby, isOwnNameOfRuby } from './ruby.ts';

type Program = {
  declare(root: SgNode): Declarations;
  enclosingClass(node: SgNode): string | null;
  /** Returns whether a module may be in the same repository. */
  isOwnModule(module: string): boolean;
  /** The name of a class's constructor. */
  constructorName: string;
  /** Returns the class that a parameter's declaration names. */
  typeOf(parameter: SgNode): string | null;
  /** Returns the class of which a value is an instance. */
  classOf(names: Declarations, value: SgNode): string | null;
  /** Returns whether a name that the file does not declare may be in another file, without an import. */
  isOwnName?(name: string): boolean;
  /** In languages that name the object of a method: returns its class, given a node in the method. */
  receiverType?(node: SgNode, name: string): string | null;
  /** In languages that overload methods: returns the part of a call's name that tells them apart. */
  arityOf?(call: SgNode, callee: string): string;
  /** In languages whose members need no `this`: returns whether a name with a path after it may be one. */
  isMember?(name: string, rest: string): boolean;
  /** In languages with extension methods: returns the name of one that a call may invoke. */
  extensionOf?(written: string): string | null;
  /** Returns the part of a call's name that identifies the function; null if it is part of the language or a library. */
  plainCallee?(written: string): string | null;
};

/** Modules of Python itself and of well-known packages. */
const standard =
  /^(?:os|sys|re|io|json|csv|html|http|urllib|base64|hashlib|hmac|random|secrets|string|time|datetime|math|logging|shutil|subprocess|pathlib|tempfile|itertools|functools|collections|typing|asyncio|socket|ssl|xml|zipfile|tarfile|pickle|copy|uuid|flask|django|fastapi|starlette|werkzeug|sqlalchemy|requests|jinja2|markupsafe|yaml|numpy|pandas)(?:\.|$)/;

/** The languages whose names are followed into other files. */
const programs: Partial<Record<LanguageName, Program>> = {
  javascript: {
    declare: declareJavaScript,
    enclosingClass: enclosingClassOfJavaScript,
    isOwnModule: (module) => /^(?:\.|[@~]?\/|#|[\w-]+\/)/.test(module),
    constructorName: 'constructor',
    typeOf: (parameter) => typeName(parameter.field('type')),
    classOf: (_, value) => (kindOf(value) === 'new_expression' ? (value.field('constructor')?.text() ?? null) : null),
  },
  python: {
    declare: declarePython,
    enclosingClass: enclosingClassOfPython,
    isOwnModule: (module) => !standard.test(module),
    constructorName: '__init__',
    typeOf: (parameter) => annotatedClass(parameter.field('type')),
    classOf: constructedBy,
  },
  java: {
    declare: declareJava,
    enclosingClass: enclosingClassOfJava,
    isOwnModule: isOwnPackageOfJava,
    constructorName: 'constructor',
    typeOf: (parameter) => typeOfJava(parameter.field('type')),
    classOf: (_, value) => variableTypeOfJava(value),
    isOwnName: isOwnNameOfJava,
    arityOf: arityOfJava,
    isMember: (name) => /^[a-z_]/.test(name),
  },
  php: {
    declare: declarePhp,
    enclosingClass: enclosingClassOfPhp,
    isOwnModule: isOwnNamespaceOfPhp,
    constructorName: '__construct',
    typeOf: (parameter) => typeOfPhp(parameter.field('type')),
    classOf: (_, value) => createdByPhp(value),
    isOwnName: isOwnNameOfPhp,
  },
  go: {
    declare: declareGo,
    enclosingClass: () => null,
    isOwnModule: isOwnPackageOfGo,
    constructorName: 'constructor',
    typeOf: (parameter) => typeOfGo(parameter.field('type')),
    classOf: (_, value) => variableTypeOfGo(value),
    isOwnName: isOwnNameOfGo,
    receiverType: receiverTypeOfGo,
  },
  ruby: {
    declare: declareRuby,
    enclosingClass: enclosingClassOfRuby,
    isOwnModule: () => true,
    constructorName: 'initialize',
    typeOf: () => null,
    classOf: (_, value) => classOfRuby(value),
    isOwnName: isOwnNameOfRuby,
    plainCallee: calleeOfRuby,
  },
  csharp: {
    declare: declareCSharp,
    enclosingClass: enclosingClassOfCSharp,
    isOwnModule: () => true,
    constructorName: 'constructor',
    typeOf: (parameter) => typeOfCSharp(parameter.field('type')),
    classOf: (_, value) => variableTypeOfCSharp(value),
    isOwnName: isOwnNameOfCSharp,
    arityOf: arityOfCSharp,
    isMember: isMemberOfCSharp,
    extensionOf: extensionOfCSharp,
  },
};

/** Returns the last part of a name; of a constructor, that of its class. */
export function lastNameOf(name: string): string {
  const parts = name.replace(arity, '').split('.');
  const last = parts.at(-1)!;
  return constructors.has(last) ? (parts.at(-2) ?? last) : last;
}

const constructors = new Set(Object.values(programs).map(({ constructorName }) => constructorName));

/** Returns the name of a module's file, or of its folder if the file is its index. */
export function moduleNameOf(path: string): string {
  const parts = path.split('/').map((part) => part.replace(/\.\w+$/, ''));
  const last = parts.at(-1)!;
  return last === 'index' && parts.length > 1 ? parts.at(-2)! : last;
}

/** Returns whether calls of a function with a last name are followed. */
export const isCallable = (language: LanguageName, name: string): boolean =>
  programs[language]?.plainCallee?.(`self.${name}`) !== null;

export const isFollowed = (language: LanguageName): boolean => programs[language] !== undefined;

/** `this`, `self` and similar: the object itself. */
const own = /^(?:\$?this|self|static|cls|@)$/;
const inherited = /^(?:super(?:\([^()]*\))?|parent|base)$/;
const path = /^(?:super\([^()]{0,40}\)|[\w$@\\]+)(?:(?:\?\.|\.|->|::)[\w$#@]+[?!]?)*$/;

/** Names the functions of a file, and the functions that its calls refer to. */
export class Names {
  readonly #language: Language;
  readonly #program: Program;
  readonly #root: SgNode;
  readonly #file: FileIndex;
  readonly #callees = new Map<number, string | null>();
  #declared: Declarations | null = null;

  constructor(language: Language, root: SgNode, file: FileIndex) {
    this.#language = language;
    this.#program = programs[language.name]!;
    this.#root = root;
    this.#file = file;
  }

  get declared(): Declarations {
    this.#declared ??= this.#program.declare(this.#root);
    return this.#declared;
  }

  /** Returns the name of a function that calls in this or other files can refer to. */
  nameOf(definition: SgNode): string | null {
    return this.declared.functions.get(definition.id())?.name ?? null;
  }

  /** Returns those of the last names that a call's name, or the name that an import renames to it, may stand for. */
  namesCalledBy(written: string, lastNames: ReadonlyMap<string, unknown>): string[] {
    const plain = this.#program.plainCallee ? this.#program.plainCallee(written) : written;
    const last = this.#program.plainCallee ? plain && lastNameOf(plain) : /[\w$]+$/.exec(written)?.[0];
    if (!last) return [];
    // The constructor of the class around the call.
    if (last === 'self') return [...lastNames.keys()];
    const alias = this.declared.aliases.get(last);
    const [module = '', name = ''] = Array.isArray(alias) ? alias : [];
    const renamed = /^(?:default|=)$/.test(name) ? [lastNameOf(name), moduleNameOf(module)] : [lastNameOf(name)];
    return [...new Set([last, ...renamed])].filter((one) => lastNames.has(one));
  }

  /** Returns the name of the function that a call invokes, in terms of this file; null if it is in no file. */
  calleeOf(call: SgNode, written: string): string | null {
    const id = call.id();
    const known = this.#callees.get(id);
    if (known !== undefined) return known;
    const found = this.#findCallee(call, written);
    const name = found && `${found}${this.#program.arityOf?.(call, found) ?? ''}`;
    this.#callees.set(id, name);
    return name;
  }

  #findCallee(call: SgNode, written: string): string | null {
    const { constructorName, plainCallee } = this.#program;
    if (plainCallee) {
      const plain = plainCallee(written);
      return plain === null ? null : this.#resolve(call, plain);
    }
    if (/^(?:new|object_creation)_expression$/.test(kindOf(call))) {
      const name = this.#resolve(call, written);
      return name && `${name}.${constructorName}`;
    }
    // `new Users(db).find(name)`, `Users(db).find(name)`
    const made = /^\(?(?:new\s+)?([A-Z][\w.]*)\(.*\)\)?(?:\.|->)([\w$]+)$/s.exec(written);
    if (made) {
      const name = this.#resolve(call, made[1]!);
      return name && `${name}.${made[2]}`;
    }
    const name = this.#resolve(call, written.replace(/^await\s+/, '')) ?? this.#program.extensionOf?.(written) ?? null;
    const isClass = name !== null && this.#language.name === 'python' && /^(?:\w+\.)*[A-Z]\w*$/.test(name);
    return isClass ? `${name}.${constructorName}` : name;
  }

  /** Returns a name with the class in place of an object: `this.users.find` becomes `Page.users.find`. */
  #resolve(call: SgNode, written: string): string | null {
    if (written.length > 200 || !path.test(written)) return null;
    const [head, ...members] = written.replaceAll(/\?\.|->|::/g, '.').split('.') as [string, ...string[]];
    const rest = members.map((member) => `.${member}`).join('');
    if (own.test(head) || inherited.test(head)) {
      const name = members.length > 0 ? this.#program.enclosingClass(call) : null;
      if (name === null) return null;
      if (own.test(head)) return `${name}${rest}`;
      const [base] = this.declared.bases.get(name) ?? [];
      return base ? `${base}${rest}` : null;
    }
    const local = this.#localType(call, head);
    if (local !== undefined) return local === null ? null : `${local}${rest}`;
    // A name that only another file of the package may declare is a function's, not that of a variable.
    if (this.#language.name === 'go' && rest !== '' && !this.declared.knows(head, this.#program.isOwnModule))
      return null;
    return this.#memberOf(call, head, rest) ?? (this.#knows(head) ? `${head}${rest}` : null);
  }

  #memberOf(call: SgNode, head: string, rest: string): string | null {
    if (!this.#program.isMember?.(head, rest)) return null;
    const owner = this.#program.enclosingClass(call);
    if (owner === null || this.declared.aliases.has(head)) return null;
    const member = `${owner}.${head}`;
    const type = this.declared.aliases.get(member);
    if (typeof type === 'string') return this.#knows(headOf(type)) ? `${member}${rest}` : null;
    const mayBeElsewhere = hasOpenClasses(this.#language.name);
    if (rest === '' && (mayBeElsewhere || this.declared.hasFunction(member))) return member;
    // The name of a class looks like that of an inherited property.
    if (mayBeElsewhere && /^[A-Z]/.test(head)) return null;
    const [base] = this.declared.bases.get(owner) ?? [];
    if (base && (base.includes('.') || this.#knows(base))) return `${member}${rest}`;
    // `import static shop.Texts.*`
    return rest === '' && this.declared.stars.some((star) => /\.[A-Z]\w*$/.test(star)) ? head : null;
  }

  /** A class that the file does not name elsewhere may come from a library that it imports whole: `import java.util.*`. */
  #knowsType(name: string): boolean {
    const { declared } = this;
    if (declared.knows(name, this.#program.isOwnModule)) return true;
    return this.#knows(name) && declared.stars.every((star) => this.#program.isOwnModule(star));
  }

  #knows = (name: string) =>
    this.declared.knows(name, this.#program.isOwnModule) ||
    (!this.declared.aliases.has(name) && (this.#program.isOwnName?.(name) ?? false));

  /** Returns the class of a local variable; null if it is unknown, and undefined if the name is not local. */
  #localType(call: SgNode, name: string): string | null | undefined {
    const place = spanOf(call);
    const scopes = this.#file.index.around(place);
    for (const scope of scopes.slice(0, -1)) {
      const changes = this.#file.index.changes(scope, name).filter((change) => change.operation === 'assign');
      const [value] = changes.map((change) => change.value);
      if (value && changes.length === 1) {
        const type = this.#program.classOf(this.declared, value);
        if (type === null || headOf(type) === name) return this.nameOf(value) === null ? null : undefined;
        return this.#knowsType(headOf(type)) ? type : null;
      }
      if (changes.length > 1) return null;
      const parameter = this.#file.parameterOf(scope, name);
      if (parameter) {
        const type = this.#program.typeOf(parameter.node);
        return type && this.#knowsType(headOf(type)) ? type : null;
      }
      const receiver = this.#program.receiverType?.(scope.node, name);
      if (receiver) return receiver;
    }
    return undefined;
  }
}
