import { type Status, statuses } from '../../findings/lifecycle.ts';
import { type Severity, severities } from '../../findings/severity.ts';
import { count, formatMoment, formatNumber, statusNames } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import { type Block, heading, type Inline, paragraph, severityBadge, strong, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { lineOf } from './texts.ts';

const severityMeanings: Record<Severity, string> = {
  critical: 'Exploitable now without special access, with severe impact. Act at once. CVSS 9.0 to 10.0.',
  high: 'Likely to be exploited, or with severe impact. Act within days. CVSS 7.0 to 8.9.',
  medium: 'Exploitable only under further conditions, or with limited impact. Plan a fix. CVSS 4.0 to 6.9.',
  low: 'Hardly exploitable by itself, but may contribute to another attack. CVSS 0.1 to 3.9.',
  info: 'Worth knowing; not a weakness by itself.',
};

const statusMeanings: Record<Status, string> = {
  new: 'Open. Not reviewed yet, or open again after it was closed.',
  triaged: 'Open. Reviewed and confirmed.',
  in_progress: 'Open. Being fixed.',
  resolved: 'Closed. A scan no longer finds it, a person marked it as fixed, or its data source was removed.',
  false_positive: 'Closed. A person decided that it is not a problem.',
  accepted_risk: 'Closed. A person accepted the risk, often until a set date, after which the finding is new again.',
};

/** Explains the report to readers who did not create it. */
export function appendixBlocks(head: ReportHead): Block[] {
  return [
    heading(1, 'appendix', 'How to read this report', { newPage: head.summary.total > 0 }),
    paragraph(
      `This report is a snapshot: it shows what was known on ${formatMoment(head.taken_at)} and does not change afterwards. All its exports (PDF, DOCX, CSV, JSON, SARIF, OCSF) are made from this snapshot. Its id is ${head.id}.`,
    ),
    paragraph(
      'A finding is one problem in one data source, however often scans see it. If it occurs in several places, the report counts them and lists the first ones. Times are in UTC. Secrets in evidence were redacted when they were found. A character that no font of this document contains is shown as \uFFFD.',
    ),
    heading(2, 'severities', 'Severities'),
    meanings(
      'Severity',
      severities.map((severity) => [[severityBadge(severity)], [text(severityMeanings[severity])]]),
    ),
    heading(2, 'statuses', 'Statuses'),
    meanings(
      'Status',
      statuses.map((status) => [[strong(statusNames[status])], [text(statusMeanings[status])]]),
    ),
    ...comparisonBlocks(head),
    ...toolBlocks(head),
    heading(2, 'glossary', 'Glossary'),
    meanings(
      'Term',
      glossary.map(([term, meaning]) => [[strong(term)], [text(meaning)]]),
    ),
  ];
}

const glossary: Array<[string, string]> = [
  ['CVE, GHSA', 'Ids of published vulnerabilities, of the CVE program and of GitHub.'],
  ['CVSS', 'Common Vulnerability Scoring System: how severe a vulnerability is by itself, 0 to 10.'],
  ['CWE', 'Common Weakness Enumeration: the kind of a weakness, such as CWE-89 for SQL injection.'],
  ['Data source', 'What is looked at: a repository, website, host, container image, or uploaded results.'],
  ['Detection source', 'The tool that found it.'],
  ['Due date', 'The day by which the organization’s policy expects a fix.'],
  ['EPSS, KEV', 'The estimated probability of exploitation, and the list of vulnerabilities known to be exploited.'],
  ['Owner', 'The person who is responsible for a data source; an assignee works on a finding.'],
  [
    'Priority',
    'What to fix first, 0 to 100: severity, exploitation, and how important and exposed the data source is.',
  ],
];

/** Says which severity counts, and where that of the tool and that of the CVSS score disagree. */
function comparisonBlocks({ analysis }: ReportHead): Block[] {
  const comparison = analysis?.severity_comparison;
  if (!comparison || comparison.compared === 0) return [];
  const { compared, agree, tool_higher: higher, tool_lower: lower, pairs } = comparison;
  return [
    heading(2, 'severity_and_cvss', 'Severity of the tool and CVSS'),
    paragraph(
      `The severity in this report is that of the tool. ${count(compared, 'open finding')} also ${compared === 1 ? 'has' : 'have'} a CVSS score: for ${formatNumber(agree)} both agree, for ${formatNumber(higher)} the tool’s severity is higher, and for ${formatNumber(lower)} it is lower. The priority uses the score.`,
    ),
    ...(pairs.length === 0
      ? []
      : [
          table({
            caption: null,
            description: 'Open findings where the severity of the tool and that of the CVSS score disagree',
            columns: [
              { label: 'Tool', width: { mm: 34 } },
              { label: 'CVSS', width: { share: 1 } },
              figureColumn('Findings', 25),
            ],
            rows: pairs.map(({ tool, cvss, findings }) => ({
              cells: [[severityBadge(tool)], [severityBadge(cvss)], ...figureCells([findings])],
            })),
          }),
        ]),
  ];
}

function toolBlocks({ analysis }: ReportHead): Block[] {
  if (!analysis || analysis.tools.length === 0) return [];
  return [
    heading(2, 'tools', 'Tools'),
    table({
      caption: null,
      description: 'Tools with version, findings, data sources and last complete scan',
      dense: true,
      columns: [
        { label: 'Tool', width: { share: 1 } },
        { label: 'Version', width: { mm: 30 } },
        { label: 'Last complete scan', width: { mm: 34 } },
        figureColumn('Data sources', 25),
        figureColumn('Findings'),
      ],
      rows: analysis.tools.map((tool) => ({
        cells: [
          [text(lineOf(tool.name, 80))],
          [text(tool.version ? lineOf(tool.version, 40) : 'Not known')],
          [text(tool.last_complete_scan_at?.slice(0, 10) ?? 'Never')],
          ...figureCells([tool.data_sources, tool.findings]),
        ],
      })),
    }),
  ];
}

const meanings = (first: string, rows: Inline[][][]): Block =>
  table({
    caption: null,
    description: `What each ${first.toLowerCase()} means`,
    dense: true,
    columns: [
      { label: first, width: { mm: 34 } },
      { label: 'Meaning', width: { share: 1 } },
    ],
    rows: rows.map((cells) => ({ cells })),
  });
