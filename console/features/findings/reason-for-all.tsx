import type { DecisionScope, Finding, FindingListParams } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import { explain } from '../../api/errors.ts';
import { filtersAt } from '../../filters/parameters.ts';
import { ReasonDialog, type ReasonProps } from './reason-dialog.tsx';
import type { AllMatching } from './wider-scopes.ts';
import { formatCount } from './words.ts';

/** The findings that a request can name one by one. */
const maxNamed = 1_000;

type Severe = Pick<Finding, 'severity'>;
type Asked = { scope: DecisionScope | null; refusal: string | null; note: string | null };

/**
 * Returns the scope of the request for all that match: the findings by their ids or, if there are too many, the scope that
 * covers them. Its scope is null if the person decides alone: `mayDecide` tests that for the most severe finding.
 */
async function readAsked(
  { filters, scopes = [] }: AllMatching,
  at: number,
  mayDecide: (finding: Severe) => boolean,
  signal: AbortSignal,
): Promise<Asked> {
  const ids: string[] = [];
  let cursor: string | null = null;
  const read = (next: string | null) =>
    assay.findings.list(
      {
        ...(filtersAt(filters, at) as FindingListParams),
        sort: '-severity',
        fields: ['id', 'severity'],
        limit: 200,
        ...(next !== null && { next_cursor: next }),
      },
      { signal },
    );
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(cursor);
    const [first] = page.data;
    if (cursor === null && (!first || mayDecide(first))) return { scope: null, refusal: null, note: null };
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null && ids.length < maxNamed);
  if (cursor === null) return { scope: { finding: ids }, refusal: null, note: null };
  const [wider] = scopes;
  const limit = `A request names up to ${formatCount(maxNamed)} findings`;
  return wider
    ? { scope: wider.scope, refusal: null, note: `${limit}, so it is about all of this: ${wider.label}.` }
    : { scope: null, refusal: `${limit}: filter the list, or group it by rule.`, note: null };
}

type Props = Omit<ReasonProps, 'asksFor'> & { all: AllMatching; mayDecide: (finding: Severe) => boolean };

/** Asks for the reason of a decision about all that match, which may be a request. */
export default function ReasonForAll({ all, mayDecide, ...props }: Props) {
  const [at] = useState(serverNow);
  const { data, error } = useQuery({
    queryKey: ['asked-of-all', all.filters, at],
    queryFn: ({ signal }) => readAsked(all, at, mayDecide, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const refusal = error ? explain(error).message : data ? data.refusal : 'The findings are being counted.';
  return <ReasonDialog {...props} asksFor={data?.scope ?? null} refusal={refusal} note={data?.note ?? null} />;
}
