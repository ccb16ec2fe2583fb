import type { FindingDetail } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useMay } from '../../api/session.ts';
import type { Filters } from '../../filters/filters.ts';
import { rowOf, valuesOf } from '../../filters/table.ts';
import { paths } from '../../paths.ts';
import { IconExternalLink } from '../../ui/icons.ts';
import { formatDay, formatTime, Time } from '../../ui/time.tsx';
import { CodeAtPlace } from './code-at-place.tsx';
import classes from './detail.module.css';
import { Due } from './due.tsx';
import { NotNamed } from './feed-notes.tsx';
import { identifierUrl } from './identifier-url.ts';
import { SeverityMark, StatusMark, Tag } from './marks.tsx';
import { Part, PartHeading } from './part.tsx';
import { repositoryQuery } from './queries.ts';
import { Related } from './related.tsx';
import { sourceUrl } from './source-url.ts';
import { formatShare, isCve, placeOf, plural, reasonNames, safeUrl } from './words.ts';

const Timeline = lazy(() => import('./timeline.tsx'));
const Markdown = lazy(() => import('./markdown.tsx'));

const Text = ({ text }: { text: string }) => (
  <Suspense fallback={<p>{text}</p>}>
    <Markdown text={text} />
  </Suspense>
);

const External = ({ url, children }: { url: string; children?: ReactNode }) => {
  const safe = safeUrl(url);
  return safe ? (
    <a href={safe} target="_blank" rel="noreferrer noopener nofollow">
      {children ?? safe}
    </a>
  ) : (
    <span>{children ?? url}</span>
  );
};

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** The names of the requirements of standards. */
const standardNames = new Map(valuesOf(rowOf('standard')!).map(({ value, label }) => [value, label]));

/** Leads to the list of findings that have the same. */
const Same = ({ filters, title, children }: { filters: Filters; title: string; children: ReactNode }) => (
  <Link to={paths.findings} search={filters as never} title={title}>
    {children}
  </Link>
);

/** Where it is, with a link to the website or to the line at the repository's host. */
function Place({ finding }: { finding: FindingDetail }) {
  const { location, data_source: source } = finding;
  const mayRead = useMay('sources:read');
  const { data: repository } = useQuery({ ...repositoryQuery(source.id), enabled: mayRead && location.path !== null });
  const url = location.url ?? (repository ? sourceUrl(repository.url, location, repository.branch) : null);
  const name = placeOf(finding) || 'none';
  return url ? <External url={url}>{name}</External> : name;
}

/** Leads to the public description of an identifier. */
function About({ identifier }: { identifier: string }) {
  const url = identifierUrl(identifier);
  if (url === null) return null;
  const label = `About ${identifier} (${new URL(url).hostname})`;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener nofollow"
      className={classes.about}
      aria-label={label}
      title={label}
    >
      <IconExternalLink size={14} stroke={1.8} aria-hidden />
    </a>
  );
}

function Facts({ finding }: { finding: FindingDetail }) {
  const { rule, location, identifiers, resolution } = finding;
  const hasCve = identifiers.some(isCve);
  return (
    <dl className={classes.facts}>
      <Fact name="Number">
        <Link to={`${paths.findings}/$id`} params={{ id: finding.id }} title="The lasting address of this finding">
          {finding.number}
        </Link>
      </Fact>
      <Fact name="Data source">
        <Same filters={{ data_source: finding.data_source.id }} title="All findings of this data source">
          {finding.data_source.name}
        </Same>
      </Fact>
      <Fact name="Found by">{finding.source}</Fact>
      <Fact name="Rule">
        <Same filters={{ rule: rule.id }} title="All findings of this rule">
          {rule.name || rule.id}
        </Same>
        {rule.url && (
          <>
            {' ('}
            <External url={rule.url}>about it</External>)
          </>
        )}
      </Fact>
      <Fact name="Place">
        <Place finding={finding} />
      </Fact>
      {location.package && (
        <Fact name="Package">
          <Same filters={{ package: location.package.name }} title="All findings of this package">
            {[location.package.name, location.package.version].filter(Boolean).join(' ')}
          </Same>
          {location.package.fixed_version && <> – fixed in {location.package.fixed_version}</>}
        </Fact>
      )}
      {identifiers.length > 0 && (
        <Fact name="Identifiers">
          {identifiers.map((identifier) => (
            <span key={identifier} className={classes.identifier}>
              <Same filters={{ identifier }} title={`All findings with ${identifier}`}>
                {identifier}
              </Same>
              <About identifier={identifier} />
            </span>
          ))}
        </Fact>
      )}
      {finding.standards.length > 0 && (
        <Fact name="Standards">
          {finding.standards.map((standard) => (
            <span key={standard} className={classes.identifier}>
              <Same filters={{ standard }} title={`All findings of ${standardNames.get(standard) ?? standard}`}>
                {standardNames.get(standard)?.split(': ')[0] ?? standard}
              </Same>
            </span>
          ))}
        </Fact>
      )}
      {finding.cvss_score !== null && <Fact name="CVSS">{finding.cvss_score.toFixed(1)}</Fact>}
      <Fact name="First seen">
        {formatTime(finding.first_seen_at)} (<Time at={finding.first_seen_at} />)
      </Fact>
      <Fact name="Last seen">
        {formatTime(finding.last_seen_at)} (<Time at={finding.last_seen_at} />)
      </Fact>
      {(finding.kev || hasCve) && (
        <Fact name="Exploited">
          {finding.kev ? `Known since ${formatDay(finding.kev)}` : <NotNamed feed="kev" says="Not in the list." />}
        </Fact>
      )}
      {(finding.epss !== null || hasCve) && (
        <Fact name="EPSS">
          {finding.epss === null && <NotNamed feed="epss" says="No score." />}
          {finding.epss !== null && `${formatShare(finding.epss)} likely to be exploited within 30 days`}
          {finding.epss_percentile !== null && `, more than ${formatShare(finding.epss_percentile)} of all`}
        </Fact>
      )}
      {finding.context === 'test' && <Fact name="Context">In a test or an example</Fact>}
      <Fact name="Priority">
        {finding.priority}
        {finding.priority_reasons.length > 0 &&
          ` (${finding.priority_reasons.map((reason) => reasonNames[reason] ?? reason).join(', ')})`}
      </Fact>
      {finding.due_at && (
        <Fact name="Due">
          {formatTime(finding.due_at)} (<Due at={finding.due_at} />)
        </Fact>
      )}
      {finding.accepted_until && <Fact name="Accepted until">{formatDay(finding.accepted_until)}</Fact>}
      {finding.closed_at && <Fact name="Closed">{formatTime(finding.closed_at)}</Fact>}
      {resolution && <Fact name="Closed because">{String(resolution).replaceAll('_', ' ')}</Fact>}
      {finding.reopened_count > 0 && <Fact name="Reopened">{plural(finding.reopened_count, 'time')}</Fact>}
    </dl>
  );
}

function Places({ finding }: { finding: FindingDetail }) {
  if (finding.places.length < 2) return null;
  const hidden = finding.occurrences - finding.places.length;
  return (
    <Part title={`${finding.occurrences} places`} label="Places">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, by keyboard too */}
      <ul className={classes.places} tabIndex={0}>
        {finding.places.map(({ path, start_line, commit }) => (
          <li key={`${path}:${start_line}:${commit}`}>
            {path ?? 'no file'}
            {start_line === null ? '' : `:${start_line}`}
            {commit ? ` @ ${commit.slice(0, 10)}` : ''}
          </li>
        ))}
        {hidden > 0 && <li>and {hidden} more</li>}
      </ul>
    </Part>
  );
}

type DetailProps = {
  finding: FindingDetail;
  /** Controls beside status and severity. */
  actions?: ReactNode;
  heading: 'h1' | 'h2';
};

/** All facts about a finding. */
export function Detail({ finding, actions, heading: Heading }: DetailProps) {
  return (
    <PartHeading value={Heading === 'h1' ? 'h2' : 'h3'}>
      <article className={classes.detail} aria-label={finding.title}>
        <Heading className={classes.title}>{finding.title}</Heading>
        <div className={classes.marks}>
          <SeverityMark severity={finding.severity} pill />
          <StatusMark status={finding.status} />
          <span>{finding.assignee ? finding.assignee.name : 'Nobody assigned'}</span>
          {finding.tags.map((tag) => (
            <Tag key={tag} name={tag} />
          ))}
        </div>
        {actions}
        <CodeAtPlace finding={finding} />
        <Facts finding={finding} />
        {finding.description && (
          <Part title="Description">
            <Text text={finding.description} />
          </Part>
        )}
        {finding.remediation && (
          <Part title="What to do">
            <Text text={finding.remediation} />
          </Part>
        )}
        <Places finding={finding} />
        <Related ids={finding.related} />
        {finding.references.length > 0 && (
          <Part title="References">
            <ul className={classes.references}>
              {finding.references.map((url) => (
                <li key={url}>
                  <External url={url} />
                </li>
              ))}
            </ul>
          </Part>
        )}
        <Suspense>
          <Timeline id={finding.id} />
        </Suspense>
      </article>
    </PartHeading>
  );
}
