import { checkSource } from './check-source.ts';
import { languages } from './languages/index.ts';
import type { CodeRule } from './rule.ts';

/** Returns a sentence for each of a rule's own examples that it gets wrong; none when it is proved. */
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
