import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { parseRule } from './parse-rule.ts';
import { proveRule } from './prove-rule.ts';
import type { CodeRule } from './rule.ts';

export const builtInRulesDirectory = join(import.meta.dirname, 'rules');

/** Rules of a folder, and why others were left out: sentences for whoever wrote them. */
export type RuleFolder = { rules: CodeRule[]; mistakes: string[] };

const maxRuleBytes = 256 * 1024;
const maxRules = 2_000;

/**
 * Reads all `.yml` and `.yaml` files below a folder, each a rule; the folder that a file lies in names its language unless the file does.
 * `prove` runs each rule on its own examples first and leaves it out when they tell otherwise. A rule that is wrong never stops the others.
 */
export async function readRules(directory: string, prove: boolean): Promise<RuleFolder> {
  const folder: RuleFolder = { rules: [], mistakes: [] };
  const names = await readdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    folder.mistakes.push(`${directory}: the folder could not be read (${error.code}).`);
    return [];
  });
  const files = names.filter((name) => /\.ya?ml$/.test(name)).sort();
  if (files.length > maxRules) folder.mistakes.push(`${directory}: only the first ${maxRules} rules are taken.`);
  for (const name of files.slice(0, maxRules)) {
    const path = join(directory, name);
    try {
      if ((await stat(path)).size > maxRuleBytes) throw new Error('the file is larger than 256 KiB');
      const rule = parseRule(await readFile(path, 'utf8'), name.split(sep).at(-2) ?? '');
      const wrong = prove ? proveRule(rule) : [];
      if (wrong.length > 0) throw new Error(wrong.join('; '));
      folder.rules.push(rule);
    } catch (error) {
      folder.mistakes.push(`${path}: ${(error as Error).message.replace(/\s+/g, ' ')}`);
    }
  }
  return folder;
}
