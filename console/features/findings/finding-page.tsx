import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { paths } from '../../paths.ts';
import { Load } from '../../ui/states.tsx';
import { Actions } from './actions.tsx';
import { Detail } from './detail.tsx';
import { findingQuery } from './queries.ts';
import { useTriage } from './use-triage.tsx';

/** A finding on a separate page. */
export default function FindingPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useQuery(findingQuery(id));
  const triage = useTriage(
    () => (query.data ? [query.data] : []),
    () => {},
  );
  const title = query.data?.title ?? 'Finding';
  useEffect(() => {
    document.title = `${title} – Assay`;
  }, [title]);
  return (
    <div style={{ maxWidth: 880 }}>
      <nav aria-label="Breadcrumb" style={{ padding: '16px 16px 0' }}>
        <Link to={paths.findings} search={{ open: id } as never}>
          Findings
        </Link>
      </nav>
      {query.error && !query.data ? <h1 style={{ padding: '8px 16px' }}>Finding</h1> : null}
      <Load query={query} rows={12}>
        {(finding) => (
          <Detail finding={finding} heading="h1" actions={triage.mayChange && <Actions onAction={triage.act} />} />
        )}
      </Load>
      {triage.dialogs}
    </div>
  );
}
