import type { FindingDetail, PriorityReason, Severity } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useMay } from '../../api/session.ts';
import type { Filters } from '../../filters/filters.ts';
import { rowOf, valuesOf } from '../../filters/table.ts';
import { paths } from '../../paths.ts';
import { IconArrowDown, IconArrowUp, IconExternalLink, IconMinus } from '../../ui/icons.ts';
import { formatDay, formatTime, Time } from '../../ui/time.tsx';
import classes from './detail.module.css';
import { Due } from './due.tsx';
import { NotNamed } from './feed-notes.tsx';
import { identifierUrl } from './identifier-url.ts';
import { Tag } from './marks.tsx';
import { Part } from './part.tsx';
import { repositoryQuery } from './queries.ts';
import { sourceUrl } from './source-url.ts';
import {
  confidenceSentences,
  contextSentences,
  formatShare,
  isCve,
  placeOf,
  plural,
  reasonNames,
  safeUrl,
  severityNames,
} from './words.ts';

export const External = ({ url, children }: { url: string; children?: ReactNode }) => {
  const safe = safeUrl(url);
  return safe ? (
    <a href={safe} target="_blank" rel="noreferrer noopener nofollow">
      {children ?? safe}
    </a>
  ) : (
    <span>{children ?? url}</span>
  );
};

type Entry = [name: string, value: ReactNode];

/** Names and values; entries without a value are left out. */
const List = ({ entries }: { entries: (Entry | false | null)[] }) => (
  <dl className={classes.facts}>
    {entries
      .filter((entry): entry is Entry => Boolean(entry) && Boolean((entry as Entry)[1]))
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
);

/** The names of the requirements of standards. */
const standardNames = new Map(valuesOf(rowOf('standard')!).map(({ value, label }) => [value, label]));

/** Links to the list of findings with the same value. */
const Same = ({ filters, title, children }: { filters: Filters; title: string; children: ReactNode }) => (
  <Link to={paths.findings} search={filters as never} title={title}>
    {children}
  </Link>
);

/** Returns the address of the location: a website, or the line at the repository's host. */
export function usePlaceUrl({ location, data_source: source }: FindingDetail): string | null {
  const mayRead = useMay('sources:read');
  const { data: repository } = useQuery({ ...repositoryQuery(source.id), enabled: mayRead && location.path !== null });
  return location.url ?? (repository ? sourceUrl(repository.url, location, repository.branch) : null);
}

function Place({ finding }: { finding: FindingDetail }) {
  const url = usePlaceUrl(finding);
  const name = placeOf(finding) || 'none';
  return url ? <External url={url}>{name}</External> : name;
}

/** Links to the public description of an identifier. */
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
      <IconExternalLink size={14} stroke={1.5} aria-hidden />
    </a>
  );
}

const Identifiers = ({ identifiers }: Pick<FindingDetail, 'identifiers'>) =>
  identifiers.map((identifier) => (
    <span key={identifier} className={classes.identifier}>
      <Same filters={{ identifier }} title={`All findings with ${identifier}`}>
        {identifier}
      </Same>
      <About identifier={identifier} />
    </span>
  ));

const Standards = ({ standards }: Pick<FindingDetail, 'standards'>) =>
  standards.map((standard) => (
    <span key={standard} className={classes.identifier}>
      <Same filters={{ standard }} title={`All findings of ${standardNames.get(standard) ?? standard}`}>
        {standardNames.get(standard)?.split(': ')[0] ?? standard}
      </Same>
    </span>
  ));

const DataSource = ({ source }: { source: FindingDetail['data_source'] }) => (
  <Same filters={{ data_source: source.id }} title="All findings of this data source">
    {source.name}
  </Same>
);

const Rule = ({ rule }: Pick<FindingDetail, 'rule'>) => (
  <>
    <Same filters={{ rule: rule.id }} title="All findings of this rule">
      {rule.name || rule.id}
    </Same>
    {rule.url && (
      <>
        {' ('}
        <External url={rule.url}>about it</External>)
      </>
    )}
  </>
);

const Package = ({ location }: Pick<FindingDetail, 'location'>) =>
  location.package && (
    <>
      <Same filters={{ package: location.package.name }} title="All findings of this package">
        {[location.package.name, location.package.version].filter(Boolean).join(' ')}
      </Same>
      {location.package.fixed_version && <> – fixed in {location.package.fixed_version}</>}
    </>
  );

const Seen = ({ at }: { at: string }) => (
  <>
    {formatDay(at)}{' '}
    <span className={classes.faint}>
      <Time at={at} />
    </span>
  </>
);

const lowers: PriorityReason[] = ['test_code', 'data_source_low'];

/** The direction in which a severity moves the priority. */
const severityIcons: Record<Severity, typeof IconMinus> = {
  critical: IconArrowUp,
  high: IconArrowUp,
  medium: IconMinus,
  low: IconArrowDown,
  info: IconArrowDown,
};

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The reasons for the priority: severity first, then the factors that raise or lower it. */
function Reasons({ finding }: { finding: FindingDetail }) {
  const { severity, scanner_severity, cvss_score, priority_reasons } = finding;
  const base = `${severityNames[severity]}${cvss_score === null || scanner_severity !== null ? '' : `, CVSS ${cvss_score.toFixed(1)}`}`;
  const BaseIcon = severityIcons[severity];
  return (
    <ul className={classes.reasons}>
      <li>
        <BaseIcon size={14} stroke={1.5} aria-hidden />
        {base}
      </li>
      {priority_reasons.map((reason) => {
        const falls = lowers.includes(reason);
        const Icon = falls ? IconArrowDown : IconArrowUp;
        return (
          <li key={reason}>
            <Icon size={14} stroke={1.5} aria-hidden />
            <span className="visually-hidden">{falls ? 'Lower: ' : 'Higher: '}</span>
            {upperFirst(reasonNames[reason] ?? reason)}
          </li>
        );
      })}
    </ul>
  );
}

const Exploited = ({ kev }: Pick<FindingDetail, 'kev'>) =>
  kev ? `Known since ${formatDay(kev)}` : <NotNamed feed="kev" says="Not in the list." />;

function Epss({ epss, epss_percentile }: Pick<FindingDetail, 'epss' | 'epss_percentile'>) {
  if (epss === null) return <NotNamed feed="epss" says="No score." />;
  const rank = epss_percentile === null ? '' : `, more than ${formatShare(epss_percentile)} of all`;
  return `${formatShare(epss)} likely to be exploited within 30 days${rank}`;
}

/** The few facts above the code if there is no column beside it. */
export function Glance({ finding }: { finding: FindingDetail }) {
  const { assignee, data_source: source, priority_reasons: reasons, first_seen_at: since } = finding;
  const why = reasons.map((reason) => reasonNames[reason] ?? reason).join(', ');
  return (
    <List
      entries={[
        [`Why ${finding.priority}`, why && upperFirst(why)],
        ['Data source', <DataSource key="source" source={source} />],
        ['Package', <Package key="package" location={finding.location} />],
        ['Assignee', assignee ? assignee.name : 'Nobody assigned'],
        [
          'Found by',
          <span key="found">
            {finding.source}{' '}
            <span className={classes.faint}>
              <Time at={since} />
            </span>
          </span>,
        ],
      ].map((entry) => (entry[0] === 'Package' && !finding.location.package ? null : (entry as Entry)))}
    />
  );
}

/** All facts about a finding in four groups. */
export function Facts({ finding }: { finding: FindingDetail }) {
  const { identifiers, standards, resolution, assignee, tags } = finding;
  const hasCve = identifiers.some(isCve);
  return (
    <>
      <Part title="Who and when" ruled>
        <List
          entries={[
            ['Assignee', assignee ? assignee.name : 'Nobody'],
            ['Tags', tags.length > 0 && tags.map((tag) => <Tag key={tag} name={tag} />)],
            finding.due_at !== null && [
              'Due',
              <span key="due">
                {formatDay(finding.due_at)}{' '}
                <span className={classes.faint}>
                  <Due at={finding.due_at} />
                </span>
              </span>,
            ],
            ['First seen', <Seen key="first" at={finding.first_seen_at} />],
            ['Last seen', <Seen key="last" at={finding.last_seen_at} />],
            ['Accepted until', finding.accepted_until && formatDay(finding.accepted_until)],
            ['Closed', finding.closed_at && formatTime(finding.closed_at)],
            ['Closed because', resolution && String(resolution).replaceAll('_', ' ')],
            ['Reopened', finding.reopened_count > 0 && plural(finding.reopened_count, 'time')],
          ]}
        />
      </Part>
      <Part title={`Priority ${finding.priority}`} label="Priority" ruled>
        <Reasons finding={finding} />
        <List
          entries={[
            (finding.kev !== null || hasCve) && ['Exploited', <Exploited key="kev" kev={finding.kev} />],
            (finding.epss !== null || hasCve) && [
              'EPSS',
              <Epss key="epss" epss={finding.epss} epss_percentile={finding.epss_percentile} />,
            ],
          ]}
        />
      </Part>
      <Part title="Where" ruled>
        <List
          entries={[
            ['Data source', <DataSource key="source" source={finding.data_source} />],
            ['Place', <Place key="place" finding={finding} />],
            finding.location.package !== null && ['Package', <Package key="package" location={finding.location} />],
            ['Context', finding.context !== null && contextSentences[finding.context]],
          ]}
        />
      </Part>
      <Part title="What" ruled>
        <List
          entries={[
            ['Number', finding.number],
            ['Rule', <Rule key="rule" rule={finding.rule} />],
            ['Found by', finding.source],
            ['Confidence', finding.confidence !== null && confidenceSentences[finding.confidence]],
            ['Identifiers', identifiers.length > 0 && <Identifiers identifiers={identifiers} />],
            ['Standards', standards.length > 0 && <Standards standards={standards} />],
          ]}
        />
      </Part>
    </>
  );
}
