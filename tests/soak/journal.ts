/** The record of the load: acknowledged changes, changes with an unknown outcome, and problems noticed at once. */
export class Journal {
  /** Scans and imports that were accepted. All must end `completed`. */
  readonly scans = new Set<string>();
  readonly reports = new Set<string>();
  /** Comment texts by finding. Each must exist exactly once. */
  readonly comments = new Map<string, Set<string>>();
  /** The last acknowledged status and tag of a finding. */
  readonly decisions = new Map<string, { status: string; tag: string }>();
  /** The tags that were set on each finding: each must be in its history exactly once. */
  readonly tags = new Map<string, string[]>();
  /** The expected findings of a data source: paths that must be open, and those that may be closed. */
  readonly expected = new Map<string, { open: Set<string>; closed: Set<string> }>();
  readonly problems = new Map<string, number>();
  readonly counts: Record<string, number> = {};
  longestMs = 0;

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  problem(what: string): void {
    this.problems.set(what, (this.problems.get(what) ?? 0) + 1);
  }

  addComment(findingId: string, text: string): void {
    const texts = this.comments.get(findingId) ?? new Set();
    this.comments.set(findingId, texts.add(text));
  }

  addDecision(findingId: string, status: string, tag: string): void {
    this.decisions.set(findingId, { status, tag });
    this.tags.set(findingId, [...(this.tags.get(findingId) ?? []), tag]);
  }
}
