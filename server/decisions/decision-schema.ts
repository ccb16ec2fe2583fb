import { readVersionRange } from '@assay/scanner/advisories/versions/vers.ts';
import { countWildcards, maxWildcards } from '@assay/scanner/contract/path-glob.ts';
import { severityName } from '@assay/scanner/contract/severity.ts';
import Type, { type Static } from 'typebox';
import { DataSourceReference } from '../data-sources/data-source-schema.ts';
import { pathWords } from '../findings/filters/path-pattern.ts';
import { DecisionJustification, DecisionOutcome, Severity } from '../findings/finding-schema.ts';
import { UserReference } from '../organization/schema.ts';
import { invalid } from '../platform/errors.ts';
import { enumeration, idOf, listOf, nullable, page, time, timeInput } from '../platform/http/schema.ts';
import { formatTime, formatTimeOrNull, readTime } from '../platform/times.ts';
import { endReasons } from './end-conditions.ts';
import { origins } from './origin.ts';
import type { DecisionRow, Outcome } from './queries.ts';
import { anchors, packageOfScope, type Scope } from './scope.ts';

const statuses = ['active', 'requested', 'rejected', 'ended', 'expired', 'withdrawn'] as const;
const Status = enumeration(statuses, { $id: 'DecisionStatus' });
export const statusParameter = listOf(Status, {
  description: 'The decisions that hold (`active`, by default), the requests to approve, or the ended ones.',
});

const values = (item: ReturnType<typeof Type.String>, description: string, maxItems = 100) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems, uniqueItems: true, description }));
const name = () => Type.String({ minLength: 1, maxLength: 500 });

const scopeOf = ($id: string) =>
  Type.Object(
    {
      finding: values(idOf('fnd'), 'Any of these findings.', 1_000),
      rule: values(name(), 'Any of these rules (ids).'),
      identifier: values(name(), 'With any of these identifiers or an alias of one; case does not matter.'),
      package: values(
        Type.String({ maxLength: 500, pattern: '^pkg:[A-Za-z][A-Za-z0-9.+-]*/[^@?#]+$' }),
        'In any of these packages, as package URLs without a version: `pkg:npm/left-pad`.',
      ),
      versions: Type.Optional(
        Type.String({
          maxLength: 2_000,
          description:
            'With `package`: all affected versions are in this range, `vers:npm/>=1.0.0|<2.0.0`, by the order of versions of its ecosystem.',
        }),
      ),
      path: values(name(), 'All its places are at any of these paths, as the filter `path` of findings reads them.'),
      source: values(name(), 'Any of these detection sources.'),
      data_source: values(idOf('ds'), 'Any of these data sources.'),
      data_source_tag: values(name(), 'In data sources with any of these tags.'),
    },
    {
      $id,
      minProperties: 1,
      description:
        'All fields must hold; several values of one mean any. It has at least one of `finding`, `rule`, `identifier` and `package`.',
    },
  );

const reason = Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'Why. Markdown.' });
const until = nullable(timeInput('When it ends by itself.'), {
  description: 'When it ends by itself; null for never.',
});

const truth = (description: string) => Type.Optional(Type.Boolean({ description }));
const endsWhenOf = ($id: string) =>
  Type.Object(
    {
      kev: truth('It is in CISA’s catalog of exploited vulnerabilities.'),
      epss_above: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Its EPSS score is higher.' })),
      severity_above: Type.Optional(Severity),
      fix_available: truth('A version of its package that fixes it is known.'),
      version_changes: truth('A scan sees its package in another version.'),
    },
    { $id },
  );
const endsWhenDescription = {
  description:
    'Ends the decision as soon as a finding for which it holds, or would hold, meets one of these conditions. With `severity_above`, its severity is higher.',
};

const EntryAuthor = Type.Object(
  { name: Type.String(), email: Type.String() },
  { $id: 'DecisionEntryAuthor', description: 'As the commit states them: Git does not verify them.' },
);

const Entry = Type.Object(
  {
    data_source: DataSourceReference,
    path: Type.String({ description: '`.assay/decisions.yaml`, or the file with a comment.' }),
    line: nullable(Type.Integer({ minimum: 1 }), { description: 'The line in that commit; null if unknown.' }),
    commit: nullable(Type.String(), {
      description: 'The commit that wrote the entry; null if the history does not show it.',
    }),
    author: nullable(EntryAuthor, { description: 'The author of the commit; null if the commit is unknown.' }),
  },
  { $id: 'DecisionEntry' },
);

export const Decision = Type.Object(
  {
    id: idOf('dec'),
    status: Status,
    outcome: DecisionOutcome,
    justification: nullable(DecisionJustification),
    reason: Type.String(),
    scope: scopeOf('DecisionScope'),
    until: nullable(time()),
    ends_when: nullable(endsWhenOf('DecisionEnd'), endsWhenDescription),
    version: Type.Integer({ minimum: 1, description: 'Counts its changes. An approval names the version.' }),
    origin: enumeration(origins, {
      $id: 'DecisionOrigin',
      description:
        'Who states it: a person, an entry in a scanned repository, or the results of a tool that name it as suppressed. An earlier one takes precedence.',
    }),
    requested_by: nullable(UserReference, {
      description:
        'The person who made or requested it; null if the account was deleted, and for a repository or a tool.',
    }),
    entry: nullable(Entry, { description: 'The entry in the repository; null for other decisions.' }),
    expires_at: nullable(time(), {
      description: 'When a request expires without an answer; null for other decisions.',
    }),
    approved_by: nullable(UserReference, {
      description: 'The person who approved it; null for one that needed no approval.',
    }),
    approved_at: nullable(time()),
    answer: nullable(Type.String(), { description: 'The message of the person who approved or rejected it.' }),
    below_severity: nullable(Severity, {
      description:
        'It applies only to findings below this severity: it was made without the approval of a second person, which the policy requires from this severity up.',
    }),
    findings: Type.Integer({ minimum: 0, description: 'The number of findings to which it applies now.' }),
    created_at: time(),
    ended_at: nullable(time()),
    ended_by: nullable(UserReference, { description: 'The person who withdrew or rejected it.' }),
    ended_because: nullable(enumeration(endReasons, { $id: 'DecisionEndReason' }), {
      description:
        'With the status `ended`: the condition of `ends_when` that ended it, `removed` if its entry is no longer in the repository, or `policy` if the policy no longer lets the repository decide.',
    }),
  },
  { $id: 'Decision' },
);
export const DecisionPage = page(Decision, 'Decision');

export const DecisionCreation = Type.Object(
  {
    outcome: DecisionOutcome,
    justification: Type.Optional(nullable(DecisionJustification)),
    reason,
    scope: scopeOf('NewDecisionScope'),
    until: Type.Optional(until),
    ends_when: Type.Optional(nullable(endsWhenOf('NewDecisionEnd'), endsWhenDescription)),
    dry_run: Type.Optional(Type.Boolean({ description: 'Return what it would be about, and write nothing.' })),
  },
  { $id: 'DecisionCreation' },
);

export const DecisionUpdate = Type.Object(
  {
    reason: Type.Optional(reason),
    scope: Type.Optional(scopeOf('ChangedDecisionScope')),
    until: Type.Optional(until),
    ends_when: Type.Optional(nullable(endsWhenOf('ChangedDecisionEnd'), endsWhenDescription)),
  },
  { $id: 'DecisionUpdate', minProperties: 1 },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const DecisionPreview = Type.Object(
  {
    findings: count('The findings in its scope, open or not.'),
    open: count('The open ones among them: it closes these, or `triaged` marks them.'),
    samples: Type.Array(Type.Object({ id: idOf('fnd'), title: Type.String() }, { $id: 'DecisionSample' }), {
      maxItems: 10,
      description: 'Some of them, at most 10.',
    }),
  },
  { $id: 'DecisionPreview', description: 'What a decision would be about. Nothing is written.' },
);

export const decisionExample = {
  id: 'dec_01jd3q5r8wf0ht6vsx2p9k4m7n',
  status: 'active',
  outcome: 'false_positive',
  justification: 'test_or_example',
  reason: 'Examples are never deployed.',
  scope: { rule: ['python-sql-injection'], path: ['**/examples/**'] },
  until: null,
  ends_when: { kev: true },
  version: 1,
  origin: 'person',
  requested_by: { id: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7n', name: 'Ada Lovelace' },
  entry: null,
  expires_at: null,
  approved_by: null,
  approved_at: null,
  answer: null,
  below_severity: null,
  findings: 41,
  created_at: '2026-01-31T09:30:00Z',
  ended_at: null,
  ended_by: null,
  ended_because: null,
} as const;

export const previewExample = {
  findings: 41,
  open: 38,
  samples: [{ id: 'fnd_01jd3x8v6zewv8q6m1b2c3d4e5', title: 'SQL injection in examples/shop/orders.py' }],
};

function entryOf({ entry, dataSource }: DecisionRow): Static<typeof Entry> | null {
  if (!entry || !dataSource) return null;
  const { path, line, commit, author } = entry;
  return { data_source: dataSource, path, line, commit, author };
}

export const decisionOf = (row: DecisionRow): Static<typeof Decision> => ({
  id: row.id,
  status: row.status,
  outcome: row.outcome,
  justification: row.justification as Static<typeof DecisionJustification> | null,
  reason: row.reason,
  scope: row.scope,
  until: formatTimeOrNull(row.until),
  ends_when: row.endsWhen as Static<typeof Decision>['ends_when'],
  version: row.version,
  origin: row.origin,
  requested_by: row.requestedBy,
  entry: entryOf(row),
  expires_at: formatTimeOrNull(row.expiresAt),
  approved_by: row.approvedBy,
  approved_at: formatTimeOrNull(row.approvedAt),
  answer: row.answer,
  below_severity: row.belowSeverity === null ? null : severityName(row.belowSeverity),
  findings: row.findings,
  created_at: formatTime(row.createdAt),
  ended_at: formatTimeOrNull(row.endedAt),
  ended_by: row.endedBy,
  ended_because: row.endedBecause,
});

/** Throws 400 for a scope with an error that the schema does not detect. */
export function requireScope(scope: Scope, outcome: Outcome): void {
  const refuse = (field: string, message: string) => invalid('body', `scope.${field}`, message);
  if (!anchors.some((field) => scope[field]))
    throw invalid('body', 'scope', 'must have at least one of finding, rule, identifier and package');
  if (outcome === 'demoted') requireRules(scope);
  for (const purl of scope.package ?? [])
    if (packageOfScope(purl).endsWith('/')) throw refuse('package', 'must name a package, such as `pkg:npm/left-pad`');
  if (scope.path?.some((path) => pathWords(path) === null))
    throw refuse('path', 'must contain a whole word or the beginning of one, as `test` in `**/test/**`');
  if (countWildcards(scope.path ?? []) > maxWildcards)
    throw refuse(
      'path',
      `may have at most ${maxWildcards} wildcards in all: make several decisions, or wider patterns`,
    );
  if (scope.versions === undefined) return;
  if (!scope.package) throw refuse('versions', 'needs `package`');
  const range = readVersionRange(scope.versions);
  if (typeof range === 'string') throw refuse('versions', range);
}

/** Throws 400 unless the scope is that of a demotion: rules, maybe in some paths, sources or data sources only. */
function requireRules(scope: Scope): void {
  const other = (['finding', 'identifier', 'package', 'versions'] as const).find((field) => scope[field]);
  if (other)
    throw invalid('body', `scope.${other}`, 'is not accepted with the outcome `demoted`, which is about rules');
  if (!scope.rule) throw invalid('body', 'scope.rule', 'is required with the outcome `demoted`');
}

/** Reads the end of a decision. Throws 400 for a time in the past. */
export function readUntil(text: string | null | undefined): Date | null {
  const at = text ? readTime(text) : null;
  if (at && at.getTime() <= Date.now()) throw invalid('body', 'until', 'must be in the future');
  return at;
}
