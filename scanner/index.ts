import type { Location } from './contract/detection.ts';
import type { ScannedDetection } from './contract/detector.ts';
import type { Severity } from './contract/severity.ts';
import type { Suppression } from './contract/suppression.ts';
import type { RuleFile } from './detectors/code/parse-rule.ts';
import type { FileSource } from './path-scan/path-sources.ts';

export type { FileSource as Source, Location, RuleFile as Rule, Severity, Suppression };

/** A problem that a source found. `fingerprint` is the same in every scan that finds it again. */
export type Finding = Omit<ScannedDetection, 'suppression'> & {
  source: FileSource;
  /** The decision of a comment `assay:ignore` in the code; null for a finding that is open. */
  accepted: Suppression | null;
};

export type ScanOptions = {
  /** All four by default. */
  sources?: readonly FileSource[];
  /** `staged`: only what `git commit` would add. `BASE..HEAD`: only what these commits change. Needs a git work tree. */
  changes?: 'staged' | (string & {});
  /** A folder with rules for `code`: see `Rule`. */
  rules?: string;
  /** A folder of advisories in the layout of OSV's export (`npm/all.zip`), without which `dependencies` finds nothing. */
  advisories?: string;
  signal?: AbortSignal;
  /** Called with a sentence about what could not be scanned or was left out. */
  onWarning?(warning: string): void;
};

/**
 * Scans a file, a folder, a git work tree or a repository, and yields what each source finds as soon as it has ended. Throws an
 * error whose message says what to do when the path can't be scanned, and the signal's reason when it aborts.
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
