import type { FilterInput } from '../../findings/filters/table.ts';
import { type Inline, link, strong } from './blocks.ts';
import { consoleUrl, listUrl } from './finding-facts.ts';

/** Where the text on a finding leads: to its heading in the document, or else to its page in the console. */
export type Targets = {
  /** The id of the heading; undefined for a finding that the document does not show. */
  heading(id: string): string | undefined;
  /** The number, such as `F-1042`; undefined for a finding of which the report does not know it. */
  number(id: string): string | undefined;
  /** The page in the console; null when its address is not known. */
  url(id: string): string | null;
  /** The list of findings in the console; null when its address is not known. */
  list(filters: FilterInput): string | null;
};

/** Returns the targets of a document; `headings` are those of the findings that it shows, by id. */
export const targetsOf = (
  headings: ReadonlyMap<string, string>,
  baseUrl: string | null,
  numbers: Readonly<Record<string, string>> = {},
): Targets => ({
  heading: (id) => headings.get(id),
  number: (id) => numbers[id],
  url: (id) => consoleUrl(baseUrl, id),
  list: (filters) => listUrl(baseUrl, filters),
});

/** Returns a text that leads to a finding. */
export function findingInline(id: string, text: string, targets: Targets): Inline {
  const target = targets.heading(id);
  if (target !== undefined) return { kind: 'goto', target, text };
  return consoleInline(id, text, targets) ?? strong(text);
}

/** Returns a text that leads to the page of a finding in the console; null when its address is not known. */
export function consoleInline(id: string, text: string, { url }: Targets): Inline | null {
  const address = url(id);
  return address === null ? null : link(address, text);
}
