import type { FlowStep } from './detection.ts';

const maxCharacters = 16_000;

/** Removes steps from the middle until the JSON of a flow has at most 16,000 characters. */
export function boundFlow(steps: FlowStep[]): FlowStep[] {
  const kept = [...steps];
  while (JSON.stringify(kept).length > maxCharacters) kept.splice(Math.floor(kept.length / 2), 1);
  return kept;
}
