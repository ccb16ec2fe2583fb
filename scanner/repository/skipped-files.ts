import type { SkipReason } from './layout.ts';

const descriptions: Record<SkipReason, [one: string, several: string]> = {
  packages: ['file of installed packages', 'files of installed packages'],
  built: ['file that a build wrote', 'files that builds wrote'],
  generated: ['generated file', 'generated files'],
  minified: ['minified file', 'minified files'],
  library: ['published library', 'published libraries'],
};
const maxPath = 200;

type Skipped = { count: number; example: string };

function note<Key>(skipped: Map<Key, Skipped>, key: Key, path: string): void {
  const known = skipped.get(key);
  if (known) known.count++;
  else skipped.set(key, { count: 1, example: path.length > maxPath ? `${path.slice(0, maxPath)}…` : path });
}

/** Counts the files that a detector leaves out, with an example of each reason. */
export class SkippedFiles {
  readonly #reasons = new Map<SkipReason, Skipped>();
  readonly #languages = new Map<string, Skipped>();

  add(reason: SkipReason, path: string): void {
    note(this.#reasons, reason, path);
  }

  /** Adds a file in a language that has no rules. */
  addLanguage(language: string, path: string): void {
    note(this.#languages, language, path);
  }

  /** Returns one warning for each reason, and one for each language without rules. */
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
    ];
  }
}
