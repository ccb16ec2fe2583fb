import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { checkSource } from './check-source.ts';
import { languages } from './languages/index.ts';
import { parseRule, requireUsable } from './parse-rule.ts';
import type { CodeRule } from './rule.ts';

export const builtInRulesDirectory = join(import.meta.dirname, 'rules');

/** The rules of a folder, and sentences for their authors about rules that were left out. */
export type RuleFolder = { rules: CodeRule[]; errors: string[] };

const maxRuleBytes = 256 * 1024;
const maxRules = 2_000;

/**
 * Reads all `.yml` and `.yaml` files below a folder, each a rule. The folder determines a file's language unless the
 * file itself does. With `prove`, each rule runs on its own examples and is left out if it fails them; the built-in
 * rules are proved by tests, and running them here took a third of a small scan's time. An invalid rule never affects
 * the others.
 */
export async function readRules(directory: string, prove: boolean): Promise<RuleFolder> {
  const folder: RuleFolder = { rules: [], errors: [] };
  const names = await readdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    folder.errors.push(`${directory}: the folder could not be read (${error.code}).`);
    return [];
  });
  const files = names.filter((name) => /\.ya?ml$/.test(name)).sort();
  if (files.length > maxRules) folder.errors.push(`${directory}: only the first ${maxRules} rules are used.`);
  for (const name of files.slice(0, maxRules)) {
    const path = join(directory, name);
    try {
      if ((await stat(path)).size > maxRuleBytes) throw new Error('the file is larger than 256 KiB');
      const rule = parseRule(await readFile(path, 'utf8'), name.split(sep).at(-2) ?? '');
      if (prove) requireUsable(rule);
      const wrong = prove ? proveRule(rule) : [];
      if (wrong.length > 0) throw new Error(wrong.join('; '));
      folder.rules.push(rule);
    } catch (error) {
      folder.errors.push(`${path}: ${(error as Error).message.replace(/\s+/g, ' ')}`);
    }
  }
  return folder;
}

/** Returns a sentence for each of a rule's own examples that it fails; empty if it is proved. */
export function proveRule(rule: CodeRule): string[] {
  const { parsers, template } = languages[rule.language];
  const extensions = Object.keys(parsers);
  const extensionOf = (example: string) =>
    template && /^(?:<|@Html)/.test(example) ? template.extensions[0]! : extensions[0]!;
  const count = (example: string) =>
    checkSource([rule], rule.language, extensionOf(example), Buffer.from(example)).hits.length;
  return [
    ...rule.matches
      .filter((example) => count(example) === 0)
      .map((example) => `does not find its example: ${example.trim()}`),
    ...rule.misses
      .filter((example) => count(example) > 0)
      .map((example) => `finds an example that it should not: ${example.trim()}`),
  ];
}
