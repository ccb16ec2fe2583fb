/** An advisory on packages: the parts of the OSV schema that matching and findings need. See read-advisory.ts. */
export type Advisory = {
  id: string;
  /** The time of the last change, in the publisher's form. */
  modified: string;
  /** Identifiers of the same problem at other publishers. */
  aliases: string[];
  summary: string;
  /** Markdown. */
  details: string;
  /** CVSS vectors. */
  severity: Severity[];
  /** The severity assigned by the database's reviewers (`HIGH`), also for advisories without a vector. */
  severityLabel: string | null;
  weaknesses: string[];
  references: string[];
  affected: Affected[];
};

export type Severity = { type: string; score: string };

/** A package that an advisory affects. A version is affected if a range contains it or `versions` lists it. */
export type Affected = {
  /** In OSV's spelling: `npm`, `Debian:12`. */
  ecosystem: string;
  name: string;
  ranges: Range[];
  versions: string[];
  severity: Severity[];
  /** The kind of RustSec's advisories that are not vulnerabilities: `unmaintained`, `unsound`, `notice`. */
  informational: string | null;
};

/** Git ranges are left out: lockfiles contain versions. */
export type Range = { type: 'SEMVER' | 'ECOSYSTEM'; events: RangeEvent[] };
export type RangeEvent = { kind: 'introduced' | 'fixed' | 'last_affected' | 'limit'; version: string };

/** The advisories, in which detection sources look up packages. */
export type Advisories = {
  /** Whether any advisories are loaded, for one ecosystem or at all. */
  exist(ecosystem?: string): Promise<boolean>;
  /**
   * Returns the advisories on any of the packages; names in the form of `normaliseName`. Never loads a whole ecosystem
   * into memory.
   */
  find(ecosystem: string, names: string[]): Promise<Advisory[]>;
};
