import type { Confidence } from '../contract/confidence.ts';

/** The words that tools use for their confidence, and the numbers of ZAP. */
const words: Record<string, Confidence> = {
  confirmed: 'high',
  certain: 'high',
  'very-high': 'high',
  high: 'high',
  strong: 'high',
  medium: 'medium',
  moderate: 'medium',
  firm: 'medium',
  low: 'low',
  weak: 'low',
  tentative: 'low',
};

/** Returns the confidence for a tool's word, in upper or lower case; null for other values. */
export const confidenceFromWord = (word: unknown): Confidence | null =>
  typeof word === 'string'
    ? (words[
        word
          .trim()
          .toLowerCase()
          .replace(/[\s_]+/g, '-')
      ] ?? null)
    : null;

/** Returns the confidence for a share from 0 to 1; null for other values. */
export function confidenceFromShare(share: number | undefined): Confidence | null {
  if (share === undefined || share < 0 || share > 1) return null;
  if (share >= 0.8) return 'high';
  return share >= 0.4 ? 'medium' : 'low';
}
