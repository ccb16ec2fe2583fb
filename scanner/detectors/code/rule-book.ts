import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInRulesDirectory, readRules } from './read-rules.ts';
import type { CodeRule } from './rule.ts';

/**
 * Rules by id, and a hash of them and of the program that applies them. If the hash changes, the next scan checks
 * everything.
 */
export type RuleBook = { rules: Map<string, CodeRule>; hash: string };

let operatorFolder: string | null = null;
let loaded: Promise<{ book: RuleBook; errors: string[] }> | null = null;

/** Returns the built-in and the operator's rules. Each process reads them once. */
export async function loadRuleBook(): Promise<RuleBook> {
  loaded ??= readBook(operatorFolder);
  return (await loaded).book;
}

/**
 * Adds the rules of an operator's folder; a rule with the id of a built-in rule replaces it. Called once per process,
 * before it scans. Invalid rules, and rules that fail their own examples, are left out with a warning in the log.
 */
export async function addOperatorRules(folder: string | null, log: { warn(message: string): void }): Promise<void> {
  if (folder === null) return;
  operatorFolder = folder;
  loaded = readBook(folder);
  for (const error of (await loaded).errors) log.warn(`A code rule was left out. ${error}`);
}

/** Reads the built-in rules and those of `folder`, which must pass their own examples. */
export async function readBook(folder: string | null): Promise<{ book: RuleBook; errors: string[] }> {
  const builtIn = await readRules(builtInRulesDirectory, false);
  if (builtIn.errors.length > 0) throw new Error(builtIn.errors.join('\n'));
  const added = folder === null ? { rules: [], errors: [] } : await readRules(folder, true);
  const rules = new Map<string, CodeRule>();
  const errors = [...added.errors];
  for (const rule of builtIn.rules) rules.set(rule.id, rule);
  const own = new Set<string>();
  for (const rule of added.rules) {
    if (own.has(rule.id)) errors.push(`${folder}: two rules have the id "${rule.id}".`);
    else rules.set(rule.id, rule);
    own.add(rule.id);
  }
  const hash = createHash('sha256').update(await hashProgram());
  hash.update(
    JSON.stringify(
      [...rules.values()].map(({ id, language, keywords, fileContaining, config, input }) => [
        id,
        language,
        keywords,
        fileContaining,
        config,
        input,
      ]),
    ),
  );
  return { book: { rules, hash: hash.digest('base64url') }, errors };
}

async function hashProgram(): Promise<string> {
  const hash = createHash('sha256');
  const names = await readdir(import.meta.dirname, { recursive: true });
  for (const name of names.filter((file) => /(?<!\.test|\.d)\.(ts|js)$|^languages.*\.yml$/.test(file)).sort()) {
    hash.update(`${name}\0`).update(await readFile(join(import.meta.dirname, name)));
  }
  return hash.digest('base64url');
}
