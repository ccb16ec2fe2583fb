import type { FilterInput } from '../../findings/filters/table.ts';
import { type Inline, link, strong } from './blocks.ts';
import { consoleUrl, listUrl } from './finding-facts.ts';

/** The link targets of a finding: its heading in the document, or else its page in the console. */
export type Targets = {
  /** The id of the heading; undefined for a finding that the document does not show. */
  heading(id: string): string | undefined;
  /** The number, such as `F-1042`; undefined if the report does not have it. */
  number(id: string): string | undefined;
  /** The page in the console; null if its address is unknown. */
  url(id: string): string | null;
  /** The list of findings in the console; null if its address is unknown. */
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

/** Returns a text that links to a finding. */
export function findingInline(id: string, text: string, targets: Targets): Inline {
  const target = targets.heading(id);
  if (target !== undefined) return { kind: 'goto', target, text };
  return consoleInline(id, text, targets) ?? strong(text);
}

/** Returns a text that links to a finding's page in the console; null if its address is unknown. */
export function consoleInline(id: string, text: string, { url }: Targets): Inline | null {
  const address = url(id);
  return address === null ? null : link(address, text);
}
