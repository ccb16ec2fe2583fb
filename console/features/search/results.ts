import type { Severity } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { dataSourceChoicesQuery, memberChoicesQuery } from '../../api/pickers.ts';
import { useMay, useProfile } from '../../api/session.ts';
import type { Command } from '../../keys/registry.ts';
import { paths } from '../../paths.ts';
import { useRuleNames } from '../decisions/queries.ts';
import { scopeWords } from '../decisions/words.ts';
import { builtInViews, viewsQuery } from '../findings/views.ts';
import { outcomeNames, plural, statusNames } from '../findings/words.ts';
import { activeDecisionsQuery, filterBy, minLength, shownFindings, suggestionsQuery } from './queries.ts';
import { readRecent } from './recent.ts';
import { type Asked, best, type Kind } from './words.ts';

export type Result = {
  key: string;
  kind: Kind;
  label: string;
  note: string;
  severity?: Severity;
  /** The address that it opens; commands have none. */
  href?: string;
  command?: Command;
};

const hrefOf = (path: string, search: Record<string, string> = {}) => {
  const query = new URLSearchParams(search).toString();
  return query === '' ? path : `${path}?${query}`;
};

const openIn = { status: 'new,triaged,in_progress' };
/** The results of a kind, beside other kinds and alone. */
const most = { few: 3, many: 12 };

/** Whether a title has all words, none of them unfinished: the list of findings with these words is then not empty. */
function hasWords(title: string, words: readonly string[]): boolean {
  const found = new Set(title.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  return words.every((word) => found.has(word));
}

function useFindings({ text, words }: Asked): Result[] {
  const isAsked = text.length >= minLength;
  const found = useQuery({ ...suggestionsQuery(text), enabled: isAsked });
  const { data: values = [], findings = [] } = (isAsked && found.data) || {};
  const results: Result[] = findings.slice(0, shownFindings).map((finding) => ({
    key: finding.id,
    kind: 'finding',
    label: finding.title,
    note: [
      finding.number,
      finding.data_source.name,
      ...(['new', 'triaged', 'in_progress'].includes(finding.status) ? [] : [statusNames[finding.status]]),
    ].join(', '),
    severity: finding.severity,
    href: `${paths.findings}/${finding.id}`,
  }));
  if (findings.length > shownFindings && findings.some(({ title }) => hasWords(title, words)))
    results.push({
      key: 'all',
      kind: 'finding',
      label: `All findings with “${words.join(' ')}”`,
      note: '',
      href: hrefOf(paths.findings, { q: text }),
    });
  const ofValues: Result[] = values.map(({ filter, value, label, count }) => ({
    key: `${filter} ${value}`,
    kind: 'value',
    label: label && label !== value ? `${label}, ${value}` : value,
    note: `${filter === 'identifier' ? '' : `${filter}, `}${plural(count, 'open finding')}`,
    href: hrefOf(paths.findings, { ...filterBy(filter, value), ...openIn }),
  }));
  return [...results, ...ofValues];
}

function useNamed({ words, only }: Asked): Result[] {
  const mayRead = useMay('sources:read');
  const sources = useQuery({ ...dataSourceChoicesQuery, enabled: mayRead });
  const members = useQuery(memberChoicesQuery);
  const decisions = useQuery(activeDecisionsQuery);
  const rule = useRuleNames(decisions.data);
  const views = useQuery(viewsQuery);
  if (words.length === 0 && only === null) return [];
  const limit = only === null ? most.few : most.many;
  const names = {
    dataSource: (id: string) => sources.data?.find((source) => source.id === id)?.name ?? 'a data source',
    rule,
  };
  const decided = (decisions.data ?? []).map((decision) => ({ decision, words: scopeWords(decision.scope, names) }));
  return [
    ...best(decided, (one) => one.words, words, 2).map(
      ({ decision, words: scope }): Result => ({
        key: decision.id,
        kind: 'decision',
        label: scope,
        note: `decision, ${outcomeNames[decision.outcome].toLowerCase()}`,
        href: hrefOf(paths.decisions, { open: decision.id }),
      }),
    ),
    ...best(sources.data ?? [], ({ name }) => name, words, limit).map(
      ({ id, name, open_findings: open, last_scanned_at: scanned }): Result => ({
        key: id,
        kind: 'decision',
        label: name,
        note: `data source, ${scanned === null && open === 0 ? 'never scanned' : `${open.toLocaleString('en')} open`}`,
        href: `${paths.dataSources}/${id}`,
      }),
    ),
    ...best(members.data ?? [], ({ name, email }) => `${name} ${email}`, words, limit).map(
      ({ id, name, email }): Result => ({
        key: id,
        kind: 'person',
        label: name,
        note: `findings of ${email}`,
        href: hrefOf(paths.findings, { assignee: id, ...openIn }),
      }),
    ),
    ...best([...builtInViews, ...(views.data ?? [])], ({ name }) => `${name} view`, words, limit).map(
      ({ id, name, filters, sort }): Result => ({
        key: `view ${id}`,
        kind: 'page',
        label: name,
        note: 'view of findings',
        href: hrefOf(paths.findings, { ...filters, view: id, ...(sort && { sort }) }),
      }),
    ),
  ];
}

const isPage = ({ section }: Command) => section === 'Go to';

function ofCommands(commands: readonly Command[], { words, only }: Asked): Result[] {
  const limit = only === null && words.length > 0 ? most.few : most.many;
  const chosen = (pages: boolean) =>
    best(
      commands.filter((command) => isPage(command) === pages),
      ({ section, label }) => `${label} ${section}`,
      words,
      only === 'action' ? most.many * 10 : limit,
    ).map(
      (command): Result => ({
        key: `${command.section} ${command.label}`,
        kind: only === 'action' || !pages ? 'action' : 'page',
        label: command.label,
        note: pages ? '' : command.section,
        command,
      }),
    );
  return [...chosen(true), ...chosen(false)];
}

/** Everything that fits what was typed, kind by kind; what was opened last while nothing is. */
export function useResults(asked: Asked, commands: readonly Command[]): Result[] {
  const { organization } = useProfile();
  const { text, only } = asked;
  const fromServer = useFindings(only === null || only === 'finding' ? asked : { ...asked, text: '' });
  const named = useNamed(asked);
  const local = ofCommands(commands, asked);
  const recent: Result[] =
    text === '' && only === null
      ? readRecent(organization.id).map((one) => ({ ...one, key: one.href, kind: 'recent' }))
      : [];
  const filter: Result[] =
    text !== '' && only === null
      ? [
          {
            key: 'filter',
            kind: 'action',
            label: `Filter findings by “${text}”`,
            note: '',
            href: hrefOf(paths.findings, { q: text }),
          },
        ]
      : [];
  const all = [...recent, ...fromServer, ...named, ...local.filter(({ kind }) => kind === 'page'), ...filter];
  const results = [...all, ...local.filter(({ kind }) => kind === 'action')];
  return only === null ? results : results.filter(({ kind }) => kind === only);
}
