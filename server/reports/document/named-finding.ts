import { shorten } from '../plain-text.ts';
import { type Inline, note, text } from './blocks.ts';
import { findingInline, type Targets } from './targets.ts';
import { lineOf } from './texts.ts';

type Listed = { id: string; title: string; place?: string | null };

/** Returns the title and the place of a listed finding. If the title ends in the path, the place is moved there. */
export function titleAndPlace({ title, place }: Listed, max: number): [title: string, place: string] {
  const shown = lineOf(title, max);
  if (!place || shown.includes(place)) return [shown, ''];
  const path = place.replace(/:\d+$/, '');
  return shown.endsWith(path) ? [shown.slice(0, -path.length) + place, ''] : [shown, place];
}

/** Returns a listed finding: its number in the document if it has one, its title and its place. */
export function namedFinding(finding: Listed, targets: Targets, max: { title: number; place: number }): Inline[] {
  const [title, place] = titleAndPlace(finding, max.title);
  return [
    ...numberOf(finding.id, targets),
    findingInline(finding.id, title, targets),
    ...(place ? [note(`  ${shorten(place, max.place)}`)] : []),
  ];
}

/** Returns the number of a finding with a space; nothing if the document does not number it. */
export function numberOf(id: string, { number }: Targets): Inline[] {
  const shown = number(id);
  return shown === undefined ? [] : [text(`${shown} `)];
}
