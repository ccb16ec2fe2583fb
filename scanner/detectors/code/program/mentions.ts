import type { LanguageName } from '../languages/language.ts';

const maxMentions = 2_000;
/** Names before parentheses, renamed imports and names of modules; by braces (`{ run: start }`) only JavaScript renames. */
const word = '(?<![\\w$])([\\w$]+)';
const called = `${word}\\s*(?:<[\\w\\s,[\\]]{0,60}>)?\\(|\\bas\\s+([\\w$]+)|${word}\\s+as\\b`;
const renamed = `${word}\\s*:`;
const imported = '\\b(?:from|require|import)\\b\\s*\\(?\\s*["\'](?:[^"\'\\n]{0,200}\\/)?([\\w$-]+)(?:\\.\\w+)?["\']';
/** In Ruby, arguments need no parentheses; a call without arguments passes nothing. */
const ofRuby =
  /(?<!\w)([a-z_]\w*[?!]?)(?=\(| +(?!(?:if|unless|and|or|then|do|in|rescue|while|until|end)\b)(?:[\w'"@$[]|[:*&%-](?![\s=&])))|(?<!\w)([A-Z]\w*)(?=\.new\b)/g;
const ofPython = new RegExp(called, 'g');
const ofOthers = new RegExp([called, renamed, imported].join('|'), 'g');

const patterns: Partial<Record<LanguageName, RegExp>> = { python: ofPython, ruby: ofRuby };

/** Returns a number for a name. Two names may have the same, which costs only time. */
export function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  return hash & 0x3fff_ffff;
}

/** Returns the hashes of the names in a file's text that may be those of functions and modules. */
export function mentionsOf(source: string, language: LanguageName): number[] {
  const hashes = new Set<number>();
  for (const match of source.matchAll(patterns[language] ?? ofOthers)) {
    for (const name of match.slice(1)) if (name !== undefined) hashes.add(hashOf(name));
    if (hashes.size >= maxMentions) break;
  }
  return [...hashes];
}
