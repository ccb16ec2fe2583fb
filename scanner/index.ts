import type { Location } from './contract/detection.ts';
import type { ScannedDetection } from './contract/detector.ts';
import type { Severity } from './contract/severity.ts';
import type { Suppression } from './contract/suppression.ts';
import type { RuleFile } from './detectors/code/parse-rule.ts';
import type { FileSource } from './path-scan/path-sources.ts';

export type { FileSource as Source, Location, RuleFile as Rule, Severity, Suppression };

/** A problem that a source found. `fingerprint` is the same in every scan that finds the problem. */
export type Finding = Omit<ScannedDetection, 'suppression'> & {
  source: FileSource;
  /** The decision of an `assay:ignore` comment in the code; null for an open finding. */
  accepted: Suppression | null;
};

export type ScanOptions = {
  /** All four by default. */
  sources?: readonly FileSource[];
  /**
   * `staged`: only changes that `git commit` would add. `BASE..HEAD`: only changes of these commits. Needs a git work
   * tree.
   */
  changes?: 'staged' | (string & {});
  /** A folder with rules for `code`: see `Rule`. */
  rules?: string;
  /** A folder of advisories in the layout of OSV's export (`npm/all.zip`). Without it, `dependencies` finds nothing. */
  advisories?: string;
  signal?: AbortSignal;
  /** Called with a sentence about a target or file that could not be scanned or was left out. */
  onWarning?(warning: string): void;
};

/**
 * Scans a file, a folder, a git work tree or a repository, and yields the findings of each source as soon as it has
 * completed. Throws an error whose message says what to do if the path can't be scanned, and the signal's reason if it
 * aborts.
 */
export async function* scan(path: string, options: ScanOptions = {}): AsyncGenerator<Finding, void, void> {
  const { fileSources } = await import('./path-scan/path-sources.ts');
  const { scanPath } = await import('./path-scan/scan-path.ts');
  const { sources = fileSources, changes, rules = null, advisories = null, onWarning } = options;
  const signal = options.signal ?? new AbortController().signal;
  const told = new Set<string>();
  for (const source of fileSources.filter((name) => sources.includes(name))) {
    const { findings, ignored, warnings } = await scanPath(path, {
      sources: [source],
      codeRules: rules,
      advisories,
      changes:
        changes === undefined ? null : changes === 'staged' ? { staged: true, indexFile: null } : { diff: changes },
      signal,
    });
    signal.throwIfAborted();
    for (const warning of warnings) {
      if (!told.has(warning)) onWarning?.(warning);
      told.add(warning);
    }
    for (const { detection } of [...findings, ...ignored]) {
      const { suppression = null, ...facts } = detection;
      yield { ...facts, source, accepted: suppression };
    }
  }
}
