import type { SkipReason } from './layout.ts';

const descriptions: Record<SkipReason, [one: string, several: string]> = {
  packages: ['file of installed packages', 'files of installed packages'],
  built: ['file that a build wrote', 'files that builds wrote'],
  generated: ['generated file', 'generated files'],
  minified: ['minified file', 'minified files'],
  library: ['published library', 'published libraries'],
};
const maxPath = 200;

/** Counts the files that a detector leaves out, with an example of each reason. */
export class SkippedFiles {
  readonly #reasons = new Map<SkipReason, { count: number; example: string }>();

  add(reason: SkipReason, path: string): void {
    const known = this.#reasons.get(reason);
    if (known) known.count++;
    else this.#reasons.set(reason, { count: 1, example: path.length > maxPath ? `${path.slice(0, maxPath)}…` : path });
  }

  /** Returns one warning for each reason. */
  warnings(source: string): string[] {
    return (Object.keys(descriptions) as SkipReason[]).flatMap((reason) => {
      const skipped = this.#reasons.get(reason);
      if (!skipped) return [];
      const { count, example } = skipped;
      const [one, several] = descriptions[reason];
      return [`Not checked by ${source}: ${count === 1 ? `1 ${one}` : `${count} ${several}`}, such as ${example}.`];
    });
  }
}
