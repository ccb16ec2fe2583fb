import type { ScannedDetection } from '../contract/detector.ts';
import { decisionFile, type Suppression } from '../contract/suppression.ts';
import type { FileDecisions } from './decision-file.ts';

/** The word that starts a comment which accepts the risk of a finding: `assay:ignore rule-id reason`. */
export const ignoreMark = 'assay:ignore';

type IgnoreComment = { rules: string[]; reason: string; line: number };

/** The comments of a text, by the line to which they apply. Lines count from 1. */
export type IgnoreComments = {
  /** Returns the decision for a finding that starts at this line, with the line of the comment; or null. */
  find(line: number, names: readonly string[]): (Suppression & { line: number }) | null;
  /** Lines with the mark, but without a rule or a reason. They have no effect. */
  incomplete: number[];
};

const pattern = /assay:ignore[ \t]+([^\s,]+(?:,[ \t]*[^\s,]+)*)[ \t]+(\S.*)/;
/** Characters that may precede the mark on a line that contains only the comment, in any language. */
const opening =
  /^[\s\uFEFF]*(?:\/\/+|\/\*+|\*|#+|--+|;+|%+|<!--|<%[-#]*|\{\{[-!/*]*|\{#|\(\*|rem\b|'|"(?:\/\/|#)"\s*:\s*")[\s:!]*$/i;
const closing = /\s*(?:\*\/|-->|--\}\}|\*\/\}\}|\}\}|#\}|%>|\*\)|",?)?\s*$/;
const maxReason = 1_000;
/** The maximum lengths of a comment and of the text before it: a file may be one line of megabytes. */
const maxComment = 2_000;
const maxOpening = 200;

/**
 * Reads the comments of a file. A comment beside code applies to that line; a comment on a separate line also applies
 * to the next.
 */
export function readIgnoreComments(text: string): IgnoreComments {
  const byLine = new Map<number, IgnoreComment[]>();
  const incomplete: number[] = [];
  const lines = text.includes(ignoreMark) ? text.split('\n') : [];
  for (const [index, line] of lines.entries()) {
    const start = line.indexOf(ignoreMark);
    if (start < 0) continue;
    const read = readComment(line.slice(start, start + maxComment));
    if (!read) {
      incomplete.push(index + 1);
      continue;
    }
    const comment = { ...read, line: index + 1 };
    const isAlone = start <= maxOpening && opening.test(line.slice(0, start));
    const applies = isAlone ? [index + 1, index + 2] : [index + 1];
    for (const number of applies) byLine.set(number, [...(byLine.get(number) ?? []), comment]);
  }
  return {
    incomplete,
    find(line, names) {
      const wanted = names.map((name) => name.toLowerCase());
      const comment = byLine.get(line)?.find(({ rules }) => rules.some((rule) => wanted.includes(rule)));
      if (!comment) return null;
      return { status: 'accepted_risk', reason: `Ignored in the code: ${comment.reason}`, line: comment.line };
    },
  };
}

function readComment(text: string): Omit<IgnoreComment, 'line'> | null {
  const [, rules, rest] = pattern.exec(text) ?? [];
  const reason = rest?.replace(closing, '').slice(0, maxReason);
  // A reason contains a word.
  if (!rules || !reason || !/\p{L}{2}/u.test(reason)) return null;
  return { rules: rules.toLowerCase().split(/,[ \t]*/), reason };
}

/** Reads a file of the scanned version; null if it does not exist or is too large. */
export type ReadFiles = (paths: string[]) => AsyncIterable<{ path: string; content: Buffer | null }>;

/** Adds the repository's own decisions to the detections of a source. Returns new warnings about decisions without effect. */
export type Ignorer = (batch: ScannedDetection[], source: string) => Promise<string[]>;

/**
 * Returns a function that adds the decisions of comments to detections with a line in the scanned version, then those of
 * the file of decisions.
 */
export function createIgnorer(read: ReadFiles): Ignorer {
  const ignoreByComments = createCommentIgnorer(read);
  let file: Promise<FileDecisions | null> | null = null;
  return async (batch, source) => {
    const isFirst = file === null;
    file ??= readDecisions(read);
    const [decisions, warnings] = [await file, await ignoreByComments(batch, source)];
    for (const detection of batch) {
      detection.suppression ??= decisions?.find(detection, source) ?? null;
      if (!decisions?.demotes(detection, source)) continue;
      detection.scanner_severity = detection.severity;
      detection.severity = 'info';
    }
    return isFirst ? [...(decisions?.warnings ?? []), ...warnings] : warnings;
  };
}

/** Reads the repository's file of decisions; null if it has none. */
export async function readDecisions(read: ReadFiles): Promise<FileDecisions | null> {
  for await (const { content } of read([decisionFile])) {
    if (!content) continue;
    // Few repositories have the file, and its parsers take time to load.
    const { readDecisionFile } = await import('./decision-file.ts');
    return readDecisionFile(content);
  }
  return null;
}

/**
 * Returns a function that adds the decisions of comments alone. The secrets detector reads comments itself: a secret can
 * have several locations in several versions.
 */
export function createCommentIgnorer(read: ReadFiles): Ignorer {
  const known = new Map<string, IgnoreComments | null>();
  return async (batch, source) => {
    if (source === 'secrets') return [];
    const placed = batch.filter(({ suppression, location: { path, start_line: line, commit } }) => {
      return !suppression && path !== null && line !== null && commit === null;
    });
    const paths = new Set(placed.map(({ location }) => location.path!).filter((path) => !known.has(path)));
    const warnings: string[] = [];
    for (const path of paths) known.set(path, null);
    if (paths.size > 0) {
      for await (const { path, content } of read([...paths])) {
        if (!content?.includes(ignoreMark)) continue;
        const comments = readIgnoreComments(content.toString());
        known.set(path, comments);
        warnings.push(...comments.incomplete.map((line) => describeIncomplete(path, line)));
      }
    }
    for (const detection of placed) {
      const { path, start_line: start } = detection.location;
      const found = known.get(path!)?.find(start!, namesOf(detection));
      if (!found) continue;
      const { line, ...decision } = found;
      detection.suppression = { ...decision, comment: { path: path!, line } };
    }
    return warnings;
  };
}

const describeIncomplete = (path: string, line: number): string =>
  `${path}, line ${line}: the comment has no effect. Write "${ignoreMark} rule-id reason".`;

/**
 * A comment refers to a finding by its rule or by a specific identifier, such as a CVE. A weakness (CWE) would match
 * many.
 */
const namesOf = ({ rule, identifiers }: ScannedDetection) => [
  rule.id,
  ...identifiers.filter((identifier) => !identifier.startsWith('CWE-')),
];
