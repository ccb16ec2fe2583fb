import type { FindingDetail, Page } from '@assay/client';
import { type InfiniteData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useCommands } from '../../keys/registry.ts';
import { paths } from '../../paths.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { useMediaQuery } from '../../ui/hooks.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconChevronDown, IconChevronRight, IconChevronUp } from '../../ui/icons.ts';
import { Load } from '../../ui/states.tsx';
import { PageActions, PanelActions, RequestActions } from './actions.tsx';
import { linkOf } from './copies.ts';
import { CopyMenu } from './copy-menu.tsx';
import { Detail } from './detail.tsx';
import type { ListedFinding } from './listed-finding.ts';
import classes from './page.module.css';
import { findingQuery } from './queries.ts';
import { useTriage } from './use-triage.tsx';
import { formatCount } from './words.ts';

/** Returns the ids of the list from which the finding was last opened; empty without one. */
function listAround(id: string): string[] {
  const lists = queryClient
    .getQueryCache()
    .findAll({ queryKey: ['findings', 'list'] })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .map(({ state }) => (state.data as InfiniteData<Page<ListedFinding>> | undefined)?.pages ?? []);
  return (
    lists.map((pages) => pages.flatMap(({ data }) => data.map((row) => row.id))).find((ids) => ids.includes(id)) ?? []
  );
}

/** The link back, the neighbours in the list, and the copy menu. */
function Bar({ id, finding }: { id: string; finding: FindingDetail | undefined }) {
  const navigate = useNavigate();
  const ids = listAround(id);
  const index = ids.indexOf(id);
  const go = (step: number) => {
    const other = ids[index + step];
    if (other) void navigate({ to: `${paths.findings}/$id`, params: { id: other } });
  };
  useCommands([
    { keys: ['j', 'ArrowDown'], label: 'Next finding', section: 'Findings', run: () => go(1) },
    { keys: ['k', 'ArrowUp'], label: 'Previous finding', section: 'Findings', run: () => go(-1) },
  ]);
  return (
    <header className={classes.bar}>
      <nav aria-label="Breadcrumb" className={classes.crumb}>
        <Link to={paths.findings} search={{ open: id } as never}>
          Findings
        </Link>
        <IconChevronRight size={14} stroke={1.5} aria-hidden />
        <span>{finding?.number ?? 'Finding'}</span>
      </nav>
      {ids.length > 1 && (
        <>
          <span className={classes.total}>
            {index + 1} of {formatCount(ids.length)}
          </span>
          <IconButton
            label="Previous finding"
            hint="k"
            icon={IconChevronUp}
            size={28}
            disabled={index === 0}
            onClick={() => go(-1)}
          />
          <IconButton
            label="Next finding"
            hint="j"
            icon={IconChevronDown}
            size={28}
            disabled={index === ids.length - 1}
            onClick={() => go(1)}
          />
        </>
      )}
      <CopyIcon text={linkOf({ id })} label="Copy a link to this finding" />
      {finding && <CopyMenu finding={finding} />}
    </header>
  );
}

/** A finding on a separate page. */
export default function FindingPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useQuery(findingQuery(id));
  const triage = useTriage(
    () => (query.data ? [query.data] : []),
    () => {},
  );
  const narrow = useMediaQuery('(max-width: 599px)') ?? false;
  const title = query.data?.title ?? 'Finding';
  useEffect(() => {
    document.title = `${title} – Assay`;
  }, [title]);
  return (
    <div>
      <Bar id={id} finding={query.data} />
      {query.error && !query.data ? <h1 style={{ padding: '8px 16px' }}>Finding</h1> : null}
      <Load query={query} rows={12}>
        {(finding) => (
          <Detail
            finding={finding}
            page
            onRevert={triage.mayChange ? triage.change : undefined}
            actions={
              triage.mayChange
                ? !narrow && <PageActions status={finding.status} onAction={triage.act} />
                : triage.mayRequest && (
                    <RequestActions status={finding.status} mayWork={triage.mayWork} onAction={triage.act} />
                  )
            }
          />
        )}
      </Load>
      {narrow && triage.mayChange && query.data && <PanelActions status={query.data.status} onAction={triage.act} />}
      {triage.dialogs}
    </div>
  );
}
