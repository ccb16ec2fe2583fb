import { severityRank } from '@assay/scanner/contract/severity.ts';
import { isOpen } from '../../findings/lifecycle.ts';
import { actionScore } from '../analysis/action-score.ts';
import type { ReportHead } from '../report-model.ts';
import type { Block } from './blocks.ts';
import { cardBlocks } from './card.ts';
import { findingsOf, type Group, withIds } from './groups.ts';
import { heightOf, pagesOf, usable } from './layout/heights.ts';
import type { Targets } from './targets.ts';

/** The document has at most 80 pages: the estimate may be wrong by some. */
const maxPages = 72;
/** The rows of a card's places, when all of them would leave no room for others. */
const fewRows = 25;
/** The heights of rows, in points: of a problem with a card in the index, and of one in short. */
const indexRow = 9.9;
const shortRow = 18.6;
/** A row with only its first line. */
const lineRow = 9.9;
/** No card is lower. */
const minCard = 45;
/** When this many cards in a row do not fit, the others are not tried. */
const maxMisses = 20;

/** A problem with a card that has at most `maxRows` rows of places. */
type Chosen = { group: Group; maxRows: number };

/**
 * The problems of a document, in its order: those with a card, then those in short. Of the latter, the last `lines` have a
 * single line each.
 */
export type Choice = { cards: Chosen[]; short: Group[]; lines: number };

/**
 * Chooses the problems that deserve a card, as far as the pages allow that the other blocks leave: those that the first
 * actions close, those that are known to be exploited, then by the severity and the number of what is open.
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
