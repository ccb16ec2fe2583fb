/** An advisory on packages, as far as matching and telling need it: taken from the OSV schema, see read-advisory.ts. */
export type Advisory = {
  id: string;
  /** When it last changed, as its publisher wrote it. */
  modified: string;
  /** Identifiers under which others publish the same problem. */
  aliases: string[];
  summary: string;
  /** Markdown. */
  details: string;
  /** CVSS vectors. */
  severity: Severity[];
  /** What the database's reviewers call it (`HIGH`), for advisories without a vector too. */
  severityLabel: string | null;
  weaknesses: string[];
  references: string[];
  affected: Affected[];
};

export type Severity = { type: string; score: string };

/** One package that an advisory is about. A version is affected when a range holds it or `versions` lists it. */
export type Affected = {
  /** As OSV spells it: `npm`, `Debian:12`. */
  ecosystem: string;
  name: string;
  ranges: Range[];
  versions: string[];
  severity: Severity[];
  /** RustSec's advisories that tell of no vulnerability: `unmaintained`, `unsound`, `notice`. */
  informational: string | null;
};

/** Git ranges are left out: lockfiles tell versions. */
export type Range = { type: 'SEMVER' | 'ECOSYSTEM'; events: RangeEvent[] };
export type RangeEvent = { kind: 'introduced' | 'fixed' | 'last_affected' | 'limit'; version: string };

/** Where detection sources look advisories up. */
export type Advisories = {
  /** Whether any are loaded. */
  exist(): Promise<boolean>;
  /** Those on any of the packages; names in the form of `normaliseName`. No ecosystem holds all of its advisories in memory. */
  find(ecosystem: string, names: string[]): Promise<Advisory[]>;
};
