import { confidences } from '@assay/scanner/contract/confidence.ts';
import { severities } from '@assay/scanner/contract/severity.ts';
import { justifications } from '@assay/scanner/contract/suppression.ts';
import { contexts } from '@assay/scanner/contract/test-path.ts';
import Type, { type Static } from 'typebox';
import { DataSourceReference } from '../data-sources/data-source-schema.ts';
import { email, enumeration, idOf, nullable, page, time } from '../platform/http/schema.ts';
import { statuses } from './lifecycle.ts';
import { priorityReasons } from './urgency.ts';

/** The prefix of a finding's number in the API and in documents. */
export const numberPrefix = 'F-';
/** The path of the console's finding page, without the id. */
export const findingPages = '/findings/';
/** Returns the URL of a finding in the console. */
export const findingUrl = (baseUrl: string, id: string): string => `${new URL(baseUrl).origin}${findingPages}${id}`;

/** Returns the session settings that statements on findings read. */
export const consoleSettings = (baseUrl: string) => ({ 'app.base_url': new URL(baseUrl).origin });

const text = (description: string) => Type.String({ description });

const PackageReference = Type.Object(
  {
    ecosystem: text('The ecosystem as OSV names it, e.g. `npm`, `PyPI`, `Go`.'),
    name: text('Name of the package.'),
    version: nullable(text('The version that was found.')),
    fixed_version: nullable(text('The first version without the problem, if known.')),
    purl: nullable(text('Package URL.')),
  },
  { $id: 'PackageReference' },
);

const Location = Type.Object(
  {
    path: nullable(text('Path of the file within its data source.')),
    start_line: nullable(Type.Integer({ minimum: 1 })),
    end_line: nullable(Type.Integer({ minimum: 1 })),
    start_column: nullable(Type.Integer({ minimum: 1 })),
    end_column: nullable(Type.Integer({ minimum: 1, description: 'The first column after the problem.' })),
    commit: nullable(text('The commit that introduced it.')),
    url: nullable(text('A link to the location.')),
    package: nullable(PackageReference),
  },
  { $id: 'FindingLocation' },
);

const Assignee = Type.Object({ id: idOf('usr'), name: text('Display name.'), email: email() }, { $id: 'Assignee' });

export const Severity = enumeration(severities, { $id: 'Severity' });
export const Status = enumeration(statuses, { $id: 'FindingStatus' });

/** The effects of a decision on the findings in its scope: a status, or `demoted`, which shows them as `info`. */
const decisionOutcomes = ['false_positive', 'accepted_risk', 'triaged', 'demoted'] as const;
export const DecisionOutcome = enumeration(decisionOutcomes, { $id: 'DecisionOutcome' });

export const DecisionJustification = enumeration(justifications, { $id: 'DecisionJustification' });

const Code = Type.Object(
  {
    start_line: Type.Integer({ minimum: 1, description: 'The number of the first line.' }),
    lines: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 9,
      description: 'The lines without line breaks, at most 4 kB. Secrets are redacted and long lines cut (`…`).',
    }),
  },
  { $id: 'FindingCode' },
);

const FlowStep = Type.Object(
  {
    number: Type.Integer({
      minimum: 1,
      description: 'Counts the steps that the tool reported; a gap stands for steps that were left out.',
    }),
    path: nullable(Type.String()),
    start_line: nullable(Type.Integer({ minimum: 1 })),
    message: nullable(text('The event, in the words of the tool.')),
  },
  { $id: 'FlowStep' },
);

const column = (description: string) => nullable(Type.Integer({ minimum: 1, description }));

const FixChange = Type.Object(
  {
    path: text('Path of the file within its data source.'),
    start_line: Type.Integer({ minimum: 1 }),
    end_line: Type.Integer({ minimum: 1 }),
    start_column: column('The first column; null for the beginning of the line.'),
    end_column: column('The first column after the range; null for the end of the line.'),
    text: text('The text that replaces the range.'),
  },
  { $id: 'FixChange' },
);

const Fix = Type.Object(
  {
    description: nullable(Type.String()),
    changes: Type.Array(FixChange, { minItems: 1, maxItems: 20, description: 'All of them belong together.' }),
  },
  { $id: 'FindingFix' },
);

/** Lists include these only with `fields`. */
const excerpts = {
  standards: Type.Array(Type.String(), {
    description:
      'The requirements of standards for which it counts, such as `owasp-2021:A03` or `pci-dss-4.0.1:6.2.4`, by its CWEs, its rule and other facts. The filter `standard` has their names.',
  }),
  code: nullable(Code, { description: 'The lines around the place in the scanned version; null when there are none.' }),
  flow: nullable(
    Type.Array(FlowStep, { minItems: 1, maxItems: 50, description: 'The steps from source to sink, in their order.' }),
    { description: 'The steps from source to sink, in their order; null when the tool reports none.' },
  ),
  fix: nullable(Fix, { description: 'A proposed change; null when the tool proposes none.' }),
};

const FindingDecision = Type.Object(
  {
    id: idOf('dec'),
    outcome: DecisionOutcome,
    justification: nullable(DecisionJustification),
    until: nullable(time()),
  },
  { $id: 'FindingDecision' },
);

/** The most decisions under `also`. */
export const maxAlso = 20;

const properties = {
  id: idOf('fnd'),
  number: Type.String({
    pattern: `^${numberPrefix}[1-9][0-9]*$`,
    description: 'Its name for people, `F-` and a number: unique in the organization, and the same for its life.',
  }),
  url: text('Its page in the console.'),
  title: text('The problem and its location in one line.'),
  description: text('Markdown.'),
  severity: Severity,
  scanner_severity: nullable(Severity, {
    description:
      'The severity that its scanner reports, while a decision with the outcome `demoted` shows it as `info`; null otherwise.',
  }),
  status: Status,
  source: text('Type of the detection source that reported it.'),
  data_source: DataSourceReference,
  rule: Type.Object(
    {
      id: text('Stable name of the rule.'),
      name: text('Display name.'),
      url: nullable(text('Its documentation.')),
      tags: Type.Array(Type.String(), {
        maxItems: 20,
        description: "The scanner's tags of the rule; those that people give the finding are its `tags`.",
      }),
    },
    { $id: 'FindingRule' },
  ),
  location: Location,
  identifiers: Type.Array(Type.String(), { description: 'Public identifiers, e.g. CWE, CVE and GHSA.' }),
  cvss_score: nullable(Type.Number({ minimum: 0, maximum: 10 })),
  evidence: nullable(text('The offending content; secrets are redacted.')),
  remediation: nullable(text('Instructions for fixing it. Markdown.')),
  references: Type.Array(Type.String(), { description: 'Links to further reading.' }),
  tags: Type.Array(Type.String(), { description: 'The tags that people gave it.' }),
  assignee: nullable(Assignee),
  fingerprint: text('Identity within its data source and source, prefixed with a version.'),
  occurrences: Type.Integer({ minimum: 1, description: 'The number of places in which it occurs.' }),
  comment_count: Type.Integer({ minimum: 0 }),
  resolution: nullable(enumeration(['fixed', 'data_source_removed'] as const, { $id: 'FindingResolution' }), {
    description: 'Why it was resolved, if not by a person.',
  }),
  accepted_until: nullable(time('The time until which the risk is accepted.')),
  decision: nullable(FindingDecision, {
    description:
      'The decision that applies (`/decisions`): the one that set the status, otherwise one that demotes it; null if there is none.',
  }),
  reopened_count: Type.Integer({
    minimum: 0,
    description: 'The number of times it was found again after it was resolved.',
  }),
  first_seen_at: time(),
  last_seen_at: time('When a completed scan last saw it.'),
  updated_at: time('When its facts or its triage last changed.'),
  version: Type.Integer({
    minimum: 1,
    description:
      'Rises with each change of it. As `If-Match: "3"` of an update, or among `versions` of many, it refuses what somebody decided on an older state.',
  }),
  closed_at: nullable(time()),
  context: nullable(enumeration(contexts, { $id: 'FindingContext' }), {
    description:
      'By the paths of all its places: `test` in tests, `example` also in documentation, templates and examples; null elsewhere.',
  }),
  confidence: nullable(enumeration(confidences, { $id: 'FindingConfidence' }), {
    description:
      'How likely it is true, by its scanner: `high` if nothing was assumed, `medium` if a part was, such as an unknown function, `low` if it is only a hint; null when the tool states none.',
  }),
  priority: Type.Integer({ minimum: 0, maximum: 100, description: 'The order of fixing: the higher, the sooner.' }),
  priority_reasons: Type.Array(
    enumeration(priorityReasons, {
      $id: 'PriorityReason',
      description:
        'Reasons that raised or lowered the priority: `cvss` (its score counts, not the severity), `test_code`, `fix_available`, `public`, the criticality of the data source, `known_exploited` (KEV), or the percentile of its EPSS score.',
    }),
    { description: 'Reasons besides the severity that raised or lowered the priority.' },
  ),
  epss: nullable(Type.Number({ minimum: 0, maximum: 1 }), {
    description: 'The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several.',
  }),
  epss_percentile: nullable(Type.Number({ minimum: 0, maximum: 1 }), {
    description: 'The share of all CVEs with that EPSS score or a lower one.',
  }),
  kev: nullable(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }), {
    description:
      'The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several.',
  }),
  due_at: nullable(time('When it must be fixed by the policy.'), {
    description: 'When it must be fixed by the policy; null when it is closed or has no due date.',
  }),
};

export const Finding = Type.Object(
  {
    ...properties,
    standards: Type.Optional(excerpts.standards),
    code: Type.Optional(excerpts.code),
    flow: Type.Optional(excerpts.flow),
    fix: Type.Optional(excerpts.fix),
  },
  { $id: 'Finding' },
);
export const FindingPage = page(Finding, 'Finding');

/** The fields that show a finding in one line. */
export const FoundFinding = Type.Object(
  {
    id: properties.id,
    number: properties.number,
    title: properties.title,
    severity: Severity,
    status: Status,
    data_source: DataSourceReference,
  },
  { $id: 'FoundFinding' },
);
export type FoundFinding = Static<typeof FoundFinding>;

const places = Type.Array(
  Type.Object(
    {
      path: nullable(Type.String()),
      start_line: nullable(Type.Integer()),
      end_line: nullable(Type.Integer()),
      commit: nullable(Type.String()),
      version: Type.Optional(
        nullable(Type.String(), { description: 'The version of the package there; only of findings in packages.' }),
      ),
    },
    { $id: 'FindingPlace' },
  ),
  { maxItems: 100, description: 'The places in which it occurs, at most 100.' },
);

/** A finding with all its places, as in exports. */
export const FindingWithPlaces = Type.Object(
  { ...properties, ...excerpts, places },
  { $id: 'FindingWithPlaces', 'x-extends': Finding },
);

export const FindingDetail = Type.Object(
  {
    ...properties,
    ...excerpts,
    places,
    related: Type.Array(idOf('fnd'), {
      maxItems: 20,
      description:
        'Findings of other detection sources about the same problem in the same data source, at most 20: in the same package with the same advisory, or with the same CWE in the same file and line.',
    }),
    also: Type.Array(FindingDecision, {
      maxItems: maxAlso,
      description: `The other decisions in whose scope it is, at most ${maxAlso}, in the order in which they take over when \`decision\` ends.`,
    }),
  },
  { $id: 'FindingDetail', 'x-extends': FindingWithPlaces },
);

export const findingExample = {
  id: 'fnd_01jd3x8v6zewv8q6m1b2c3d4e5',
  number: 'F-1042',
  url: 'https://assay.example.com/findings/fnd_01jd3x8v6zewv8q6m1b2c3d4e5',
  title: 'AWS access key in deploy/prod.env',
  description: 'An AWS access key id and its secret give programmatic access to the account.',
  severity: 'critical',
  scanner_severity: null,
  status: 'new',
  source: 'secrets',
  data_source: { id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5j', name: 'payments-api', kind: 'git_repository' },
  rule: { id: 'aws-access-token', name: 'AWS access key', url: null, tags: ['credentials'] },
  location: {
    path: 'deploy/prod.env',
    start_line: 3,
    end_line: 3,
    start_column: 19,
    end_column: 39,
    commit: '9fceb02d0ae598e95dc970b74767f19372d61af8',
    url: null,
    package: null,
  },
  identifiers: ['CWE-798'],
  cvss_score: null,
  evidence: 'AWS_ACCESS_KEY_ID=AKIA…(redacted)',
  remediation: 'Deactivate the key in IAM, make a new one, and read it from a secret store.',
  references: ['https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html'],
  tags: ['pci'],
  assignee: null,
  fingerprint: 'v1:Zk3s0Pq9T1u7bX5mC2dE4w',
  occurrences: 1,
  comment_count: 0,
  resolution: null,
  accepted_until: null,
  decision: null,
  reopened_count: 0,
  first_seen_at: '2026-01-31T09:30:00Z',
  last_seen_at: '2026-02-01T02:00:07Z',
  updated_at: '2026-01-31T09:30:00Z',
  version: 1,
  closed_at: null,
  context: null,
  confidence: 'high',
  priority: 82,
  priority_reasons: ['data_source_high', 'public'],
  epss: null,
  epss_percentile: null,
  kev: null,
  due_at: '2026-02-03T09:30:00Z',
} as const;

export const findingDetailExample = {
  ...findingExample,
  standards: ['owasp-2021:A07', 'pci-dss-4.0.1:8.6.2', 'iso-27001-2022:A.5.17'],
  code: {
    start_line: 2,
    lines: ['AWS_REGION=eu-central-1', 'AWS_ACCESS_KEY_ID=…(redacted)', 'LOG_LEVEL=info'],
  },
  flow: null,
  fix: null,
  places: [{ path: 'deploy/prod.env', start_line: 3, end_line: 3, commit: '9fceb02d0ae598e95dc970b74767f19372d61af8' }],
  related: ['fnd_01jd3x8v6zewv8q6m1b2c3d4e6'],
  also: [],
};
