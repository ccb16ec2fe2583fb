import { createRequire } from 'node:module';
import { registerDynamicLanguage } from '@ast-grep/napi';
import { csharp } from './csharp.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import type { Language, LanguageName } from './language.ts';
import { template } from './markup.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';

export const languages: Record<LanguageName, Language> = { javascript, python, go, java, ruby, php, csharp, template };

let registered = false;

/**
 * Loads the grammars that ast-grep doesn't include, from packages with prebuilt libraries. Throws when one is missing
 * for this system.
 */
export function registerGrammars(): void {
  if (registered) return;
  const require = createRequire(import.meta.url);
  const names = ['python', 'go', 'java', 'ruby', 'php', 'csharp'];
  registerDynamicLanguage(Object.fromEntries(names.map((name) => [name, require(`@ast-grep/lang-${name}`)])));
  registered = true;
}
