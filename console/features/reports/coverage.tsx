import type { Report } from '@assay/client';
import { sayFilters } from '../../filters/describe.ts';
import { fromBody } from '../../filters/parameters.ts';
import { nameIn, useGrammar } from '../../filters/use-grammar.ts';

/** The findings that a report covers, in words: "Severity is Critical; Status is New". */
export function Coverage({ filters }: Pick<Report, 'filters'>) {
  const given = fromBody(filters);
  const grammar = useGrammar(given, false);
  const parts = sayFilters(given, nameIn(grammar));
  return parts.length === 0 ? 'All findings' : parts.join('; ');
}
