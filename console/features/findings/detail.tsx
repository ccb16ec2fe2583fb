import type { FindingDetail } from '@assay/client';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { paths } from '../../paths.ts';
import { useMediaQuery } from '../../ui/hooks.ts';
import { formatDay } from '../../ui/time.tsx';
import { ruleQuery } from '../decisions/queries.ts';
import { CodeAtPlace } from './code-at-place.tsx';
import classes from './detail.module.css';
import { Due } from './due.tsx';
import { Elsewhere } from './elsewhere.tsx';
import { External, Facts, Glance } from './facts.tsx';
import { SeverityMark, StatusMark } from './marks.tsx';
import { Part, PartHeading } from './part.tsx';
import { decisionsQuery, packageFilters, relatedQueries, ruleFilters, sameRuleQuery } from './queries.ts';
import { Related } from './related.tsx';
import type { Revert } from './timeline.tsx';
import { reasonNames, severityNames } from './words.ts';

const DecidedBefore = lazy(() => import('./decided-before.tsx'));
const Timeline = lazy(() => import('./timeline.tsx'));
const Markdown = lazy(() => import('./markdown.tsx'));

const Text = ({ text }: { text: string }) => (
  <Suspense fallback={<p>{text}</p>}>
    <Markdown text={text} />
  </Suspense>
);

/** The length in characters from which a description is collapsed. */
const longText = 420;

/** The description under the title. Only the start of a long one is shown, so that the code stays visible. */
function Lead({ finding: { title, description } }: { finding: FindingDetail }) {
  const [whole, setWhole] = useState(false);
  // Many tools start the description with the message, which is the title.
  const text = description.startsWith(`${title}\n`) ? description.slice(title.length).trim() : description;
  if (text === '' || text === title) return null;
  const folds = text.length > longText || text.split('\n').length > 6;
  return (
    <section className={classes.lead} aria-label="Description">
      <div className={folds && !whole ? classes.folded : undefined}>
        <Text text={text} />
      </div>
      {folds && (
        <button
          type="button"
          className={classes.linkButton}
          aria-expanded={whole}
          onClick={() => setWhole((old) => !old)}
        >
          {whole ? 'Show less' : 'Show all'}
        </button>
      )}
    </section>
  );
}

/** The facts of a decision in one line: severity, priority, status, person, due date. */
function Line({ finding, whole }: { finding: FindingDetail; whole: boolean }) {
  const reasons = finding.priority_reasons.slice(0, 3).map((reason) => reasonNames[reason] ?? reason);
  return (
    <p className={classes.line}>
      <SeverityMark severity={finding.severity} pill />
      {finding.scanner_severity && (
        <span>
          <b>{severityNames[finding.scanner_severity]}</b> by its scanner
        </span>
      )}
      <span>
        Priority <b>{finding.priority}</b>
        {whole && reasons.length > 0 && `: ${reasons.join(', ')}`}
      </span>
      <StatusMark status={finding.status} />
      {finding.decision && (
        <Link to={paths.decisions} search={{ open: finding.decision.id } as never}>
          {finding.decision.outcome === 'demoted' ? 'Shown as info by a decision' : 'By a decision'}
          {finding.decision.until && ` until ${formatDay(finding.decision.until)}`}
        </Link>
      )}
      {whole && <span>{finding.assignee ? <b>{finding.assignee.name}</b> : 'Nobody assigned'}</span>}
      {finding.due_at && (
        <span>
          Due <b>{formatDay(finding.due_at)}</b>
          {whole && (
            <>
              , <Due at={finding.due_at} />
            </>
          )}
        </span>
      )}
    </p>
  );
}

function References({ urls }: { urls: readonly string[] }) {
  if (urls.length === 0) return null;
  return (
    <Part title="References">
      <ul className={classes.references}>
        {urls.map((url) => (
          <li key={url}>
            <External url={url} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Whether the parts above the last ones have their data, so that nothing moves when these appear. */
function useIsLoaded(finding: FindingDetail): boolean {
  const byPackage = packageFilters(finding);
  const found = useQueries({
    queries: [
      sameRuleQuery(finding),
      decisionsQuery(ruleFilters(finding), finding.id),
      ruleQuery(finding.rule.id),
      ...(byPackage ? [decisionsQuery(byPackage, finding.id)] : []),
      ...relatedQueries(finding),
    ] as { queryKey: readonly unknown[] }[],
  });
  return found.every(({ isPending }) => !isPending);
}

type DetailProps = {
  finding: FindingDetail;
  /** Buttons for the decision, under the facts of the page. */
  actions?: ReactNode;
  onRevert?: Revert | undefined;
  /** Whether the finding has the whole page, with the facts in a column beside it. */
  page?: boolean;
};

/** A finding: first its code, then its other locations, related findings, and its history. */
export function Detail({ finding, actions, onRevert, page = false }: DetailProps) {
  const Heading = page ? 'h1' : 'h2';
  const isLoaded = useIsLoaded(finding);
  const narrow = useMediaQuery('(max-width: 599px)') ?? false;
  const side = page && (
    <aside className={classes.side} aria-label="Facts">
      <Facts finding={finding} />
    </aside>
  );
  return (
    <PartHeading value={page ? 'h2' : 'h3'}>
      <div className={page ? classes.object : classes.detail}>
        <article className={classes.article} aria-label={finding.title}>
          <header>
            <Heading className={classes.title} dir="auto">
              {finding.title}
            </Heading>
            <Line finding={finding} whole={page} />
            {actions}
          </header>
          {!page && <Glance finding={finding} />}
          {page && <Lead finding={finding} />}
          <CodeAtPlace finding={finding} />
          {!page && <Lead finding={finding} />}
          {finding.remediation && (
            <Part title="What to do">
              <Text text={finding.remediation} />
            </Part>
          )}
          <Elsewhere finding={finding} />
          <Related finding={finding} />
          <Suspense>
            <DecidedBefore finding={finding} />
            {isLoaded && (
              <>
                <References urls={finding.references} />
                {!page && <Facts finding={finding} />}
                {narrow && side}
                <Timeline finding={finding} onRevert={onRevert} />
              </>
            )}
          </Suspense>
        </article>
        {!narrow && side}
      </div>
    </PartHeading>
  );
}
