import { severityRank } from '@assay/scanner/contract/severity.ts';
import { isOpen } from '../../findings/lifecycle.ts';
import { actionScore } from '../analysis/action-score.ts';
import type { ReportHead } from '../report-model.ts';
import type { Block } from './blocks.ts';
import { cardBlocks } from './card.ts';
import { findingsOf, type Group, withIds } from './groups.ts';
import { heightOf, pagesOf, usable } from './layout/heights.ts';
import type { Targets } from './targets.ts';

/** The document has at most 80 pages; the difference allows for errors of the estimate. */
const maxPages = 72;
/** The maximum number of places on a card if all of them would leave no space for other cards. */
const fewRows = 25;
/** The heights of rows in points: for a problem with a card in the index, and for a short one. */
const indexRow = 9.9;
const shortRow = 18.6;
/** A row with only its first line. */
const lineRow = 9.9;
/** The minimum height of a card, in points. */
const minCard = 45;
/** After this many consecutive cards that do not fit, the rest is skipped. */
const maxMisses = 20;

/** A problem whose card shows at most `maxRows` rows of places. */
type Chosen = { group: Group; maxRows: number };

/**
 * The problems of a document in order: those with a card, then those in short form. The last `lines` of the short ones
 * have a single line each.
 */
export type Choice = { cards: Chosen[]; short: Group[]; lines: number };

/**
 * Chooses the problems that get a card, within the pages that the other blocks leave: first those that the first
 * actions close, then known exploited ones, then by severity and number of open findings.
 */
export function chooseCards(groups: Group[], head: ReportHead, targets: Targets, others: Block[]): Choice {
  const { paper } = head.document;
  const all = usable(maxPages - pagesOf(others, paper), paper);
  let left = all - groups.length * shortRow;
  const chosen = new Map<Group, number>();
  let misses = 0;
  for (const group of byImportance(groups, head)) {
    if (left < minCard || misses === maxMisses) break;
    misses += 1;
    for (const maxRows of [Number.POSITIVE_INFINITY, fewRows]) {
      if (maxRows < Number.POSITIVE_INFINITY && group.rows.length <= maxRows) continue;
      const height = cardBlocks(group, head, targets, maxRows).reduce((sum, block) => sum + heightOf(block, paper), 0);
      const more = height + indexRow - shortRow;
      if (more > left) continue;
      chosen.set(group, maxRows);
      left -= more;
      misses = 0;
      break;
    }
  }
  const withCard = groups.filter((group) => chosen.has(group));
  const inOrder = withIds([...withCard, ...groups.filter((group) => !chosen.has(group))]);
  return {
    cards: withCard.map((group, index) => ({ group: inOrder[index]!, maxRows: chosen.get(group)! })),
    short: inOrder.slice(withCard.length),
    lines: left >= 0 ? 0 : Math.min(groups.length, Math.ceil(-left / (shortRow - lineRow))),
  };
}

function byImportance(groups: Group[], { analysis }: ReportHead): Group[] {
  const urgent = new Set(analysis?.actions.first.map(({ finding_id: id }) => id) ?? []);
  const ranked = groups.map((group) => {
    const findings = findingsOf(group);
    const open = findings.filter(({ status }) => isOpen(status));
    return {
      group,
      isUrgent: Number(findings.some(({ id }) => urgent.has(id))),
      isExploited: Number(open.some(({ kev }) => kev !== null)),
      severity: Math.max(-1, ...open.map(({ severity }) => severityRank[severity])),
      score: open.reduce((sum, finding) => sum + actionScore(finding), 0),
    };
  });
  return ranked
    .sort(
      (one, other) =>
        other.isUrgent - one.isUrgent ||
        other.isExploited - one.isExploited ||
        other.severity - one.severity ||
        other.score - one.score,
    )
    .map(({ group }) => group);
}
