import type { SkipReason } from './layout.ts';

const descriptions: Record<SkipReason, [one: string, several: string]> = {
  packages: ['file of installed packages', 'files of installed packages'],
  built: ['file that a build wrote', 'files that builds wrote'],
  generated: ['generated file', 'generated files'],
  minified: ['minified file', 'minified files'],
  library: ['published library', 'published libraries'],
};
const maxPath = 200;
const maxTypes = 20;

type Skipped = { count: number; example: string };

function note<Key>(skipped: Map<Key, Skipped>, key: Key, path: string): void {
  const known = skipped.get(key);
  if (known) known.count++;
  else skipped.set(key, { count: 1, example: path.length > maxPath ? `${path.slice(0, maxPath)}…` : path });
}

function typesWarning(source: string, group: string, types: ReadonlyMap<string, number>): string {
  const all = [...types].sort(([left, most], [right, fewest]) => fewest - most || (left < right ? -1 : 1));
  const named = all.slice(0, maxTypes).map(([type, count]) => (count === 1 ? type : `${type} (${count})`));
  const more = all.length > maxTypes ? `, and ${all.length - maxTypes} more` : '';
  const some = all.length === 1 ? 'a type' : `${all.length} types`;
  return `Not checked by ${source}, which has no rules for ${some} of ${group}: ${named.join(', ')}${more}.`;
}

/** Counts the files that a detector leaves out, with an example of each reason. */
export class SkippedFiles {
  readonly #reasons = new Map<SkipReason, Skipped>();
  readonly #languages = new Map<string, Skipped>();
  readonly #types = new Map<string, Map<string, number>>();

  add(reason: SkipReason, path: string): void {
    note(this.#reasons, reason, path);
  }

  /** Adds a file in a language that has no rules. */
  addLanguage(language: string, path: string): void {
    note(this.#languages, language, path);
  }

  /** Adds a resource of a type that has no rules, in a group of types that have some. */
  addType(group: string, type: string): void {
    const types = this.#types.get(group) ?? new Map<string, number>();
    this.#types.set(group, types);
    types.set(type, (types.get(type) ?? 0) + 1);
  }

  /** Returns one warning for each reason, for each language without rules, and for each group with such types. */
  warnings(source: string): string[] {
    const languages = [...this.#languages].sort(([left], [right]) => (left < right ? -1 : 1));
    const reasons = (Object.keys(descriptions) as SkipReason[]).flatMap((reason) => {
      const skipped = this.#reasons.get(reason);
      if (!skipped) return [];
      const { count, example } = skipped;
      const [one, several] = descriptions[reason];
      return [`Not checked by ${source}: ${count === 1 ? `1 ${one}` : `${count} ${several}`}, such as ${example}.`];
    });
    return [
      ...reasons,
      ...languages.map(([language, { count, example }]) => {
        const files = count === 1 ? '1 file' : `${count} files`;
        return `Not checked by ${source}, which has no rules for ${language}: ${files}, such as ${example}.`;
      }),
      ...[...this.#types]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([group, types]) => typesWarning(source, group, types)),
    ];
  }
}
