/** Languages without rules, by the extensions of their files. */
const others: Record<string, string> = {
  ...{ kt: 'Kotlin', kts: 'Kotlin', swift: 'Swift', rs: 'Rust', scala: 'Scala', groovy: 'Groovy', clj: 'Clojure' },
  ...{ c: 'C', cc: 'C++', cpp: 'C++', cxx: 'C++', m: 'Objective-C', mm: 'Objective-C', dart: 'Dart', ex: 'Elixir' },
  ...{ exs: 'Elixir', erl: 'Erlang', lua: 'Lua', pl: 'Perl', pm: 'Perl', vb: 'Visual Basic', fs: 'F#', hs: 'Haskell' },
  ...{ sol: 'Solidity', jl: 'Julia', zig: 'Zig', cfm: 'ColdFusion' },
};

/** Returns the language of a file for which there are no rules; null for other files. */
export function otherLanguageOf(path: string): string | null {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(others, extension) ? others[extension]! : null;
}
