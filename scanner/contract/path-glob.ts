/** A part of a pattern: a literal character or a wildcard. */
type Token = { kind: 'literal'; text: string } | { kind: 'one' | 'segment' | 'any' | 'folders' };

const wildcards: Record<string, Token> = {
  '**/': { kind: 'folders' },
  '**': { kind: 'any' },
  '*': { kind: 'segment' },
  '?': { kind: 'one' },
};

const tokensOf = (pattern: string): Token[] =>
  (pattern.match(/\*\*\/?|[\s\S]/gu) ?? []).map((text) => wildcards[text] ?? { kind: 'literal', text });

/**
 * Returns a function that tests whether a path is in the scope of a path filter, with the same syntax as list filters:
 * without wildcards the start of a path, otherwise a pattern for a whole path. Takes time proportional to the lengths
 * of path and pattern, since both come from outside: patterns from people, paths from repositories.
 */
export function compilePath(value: string): (path: string) => boolean {
  if (!/[*?]/.test(value)) return (path) => path.startsWith(value);
  const tokens = tokensOf(value);
  return (path) => matches(tokens, path);
}

function matches(tokens: Token[], path: string): boolean {
  let states = new Set<number>();
  enter(tokens, states, 0);
  for (const character of path) {
    const entered = new Set<number>();
    const stayed: number[] = [];
    for (const state of states) {
      const token = tokens[state];
      if (token === undefined) continue;
      if (token.kind === 'literal' || token.kind === 'one') {
        const fits = token.kind === 'literal' ? token.text === character : character !== '/';
        if (fits) enter(tokens, entered, state + 1);
      } else if (token.kind !== 'segment' || character !== '/') {
        stayed.push(state);
        // `**/` ends with a slash; other wildcards end anywhere.
        if (token.kind !== 'folders' || character === '/') enter(tokens, entered, state + 1);
      }
    }
    states = new Set([...entered, ...stayed]);
    if (states.size === 0) return false;
  }
  return states.has(tokens.length);
}

/** Adds a state, and the states after it that empty wildcards lead to. */
function enter(tokens: Token[], entered: Set<number>, state: number): void {
  if (entered.has(state)) return;
  entered.add(state);
  const kind = tokens[state]?.kind;
  if (kind === 'any' || kind === 'segment' || kind === 'folders') enter(tokens, entered, state + 1);
}
