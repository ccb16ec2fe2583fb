/** An escape, the head of a group, a class or one character of a regular expression. */
const tokens =
  /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[\s\S])|\(\?(?:<[=!]|<[\w$]+>|[=!:]|[a-z]*(?:-[a-z]+)?:)|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/g;
const range = /(?<!\\)([a-z])-([a-z])|(?<!\\)([A-Z])-([A-Z])/g;

/**
 * Writes the groups of a regular expression that ignore case, `(?i:ab|[c-e])`, as classes: `(?:[aA][bB]|[c-eC-E])`. In
 * a process that has compiled about a megabyte of regular expressions, V8 13.6 (Node.js 24) no longer ignores the case
 * of alternatives in such a group: `/(?i:a|bc)/` does not match "BC". Handles only ASCII letters. Other groups stay
 * unchanged.
 */
export function withoutCaseGroups(source: string): string {
  if (!/\(\?[a-z]*i|\(\?[a-z]*-[a-z]*i/.test(source)) return source;
  const ignoring: boolean[] = [];
  return source.replace(tokens, (token) => {
    const ignoresCase = ignoring.at(-1) ?? false;
    if (token === ')') ignoring.pop();
    if (token.startsWith('(')) {
      const [, on = '', off = ''] = /^\(\?([a-z]*)(?:-([a-z]+))?:$/.exec(token) ?? [];
      ignoring.push(on.includes('i') || (ignoresCase && !off.includes('i')));
      const rest = [on.replace('i', ''), off.replace('i', '')];
      return on + off === '' ? token : `(?${rest[0]}${rest[1] ? `-${rest[1]}` : ''}:`;
    }
    if (!ignoresCase) return token;
    if (token.startsWith('[')) return bothCases(token);
    const code = /^\\(?:x|u00)([\da-fA-F]{2})$/.exec(token)?.[1];
    const letter = code ? String.fromCharCode(Number.parseInt(code, 16)) : token;
    return /^[a-zA-Z]$/.test(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : token;
  });
}

/** Adds the other case of each letter and range of letters to a class. */
function bothCases(characters: string): string {
  const body = characters.slice(1, -1);
  const ranges = [...body.matchAll(range)].map(([, a, z, big, bigLast]) =>
    a ? `${a.toUpperCase()}-${z!.toUpperCase()}` : `${big!.toLowerCase()}-${bigLast!.toLowerCase()}`,
  );
  const single = body
    .replaceAll(range, '')
    .replaceAll(/\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[\s\S])/g, '');
  const letters = [...single.matchAll(/[a-zA-Z]/g)].map(([letter]) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return `[${body}${[...new Set([...ranges, ...letters])].join('')}]`;
}
