import { boundFlow } from '../../contract/bound-flow.ts';
import { type Confidence, lowerConfidence } from '../../contract/confidence.ts';
import type { Detection, FlowStep } from '../../contract/detection.ts';
import { fingerprint } from '../../contract/fingerprint.ts';
import { severityRank } from '../../contract/severity.ts';
import { severityAt } from '../../contract/test-path.ts';
import { isToolPath } from './paths.ts';
import type { CodeHit, CodeRule, CodeStep } from './rule.ts';

/**
 * Builds the detections of a file. A detection is identified by the rule, the file's identifying path, the matched code
 * with white space folded, and its number among equal ones in the file, so lines may move.
 */
export function toDetections(
  rules: Map<string, CodeRule>,
  file: { path: string; knownPath: string; hits: CodeHit[] },
): Detection[] {
  const seen = new Map<string, number>();
  return file.hits
    .filter((hit) => !isToldBetter(rules, file.hits, hit))
    .flatMap((hit) => {
      const rule = rules.get(hit.rule);
      if (!rule || isExpected(rule, file.path, hit)) return [];
      const key = `${hit.rule} ${hit.content}`;
      const ordinal = seen.get(key) ?? 0;
      seen.set(key, ordinal + 1);
      return [toDetection(rule, file, hit, ordinal)];
    });
}

/**
 * Returns whether a path makes a hit harmless: developer tools are run only by developers, with their own arguments.
 */
const isExpected = ({ exceptPaths }: CodeRule, path: string, { flow }: CodeHit): boolean =>
  (exceptPaths !== null && new RegExp(exceptPaths).test(path)) ||
  (flow !== undefined && flow.length > 0 && flow[0]!.message.startsWith('Parameter ') && isToolPath(path));

/**
 * Returns whether a more severe rule, or an earlier one of equal severity, reports the same weakness in the same code.
 */
function isToldBetter(rules: Map<string, CodeRule>, hits: CodeHit[], hit: CodeHit): boolean {
  const rule = rules.get(hit.rule);
  return hits.some((rival) => {
    const better = rules.get(rival.rule);
    if (!rule || !better || rival.rule === hit.rule || !sharesPlace(hit, rival)) return false;
    if (!rule.cwe.some((id) => better.cwe.includes(id))) return false;
    const difference = severityRank[better.severity] - severityRank[rule.severity];
    return difference > 0 || (difference === 0 && rival.rule < hit.rule);
  });
}

const sharesPlace = (left: CodeHit, right: CodeHit) =>
  left.startLine === right.startLine &&
  left.startColumn === right.startColumn &&
  left.endLine === right.endLine &&
  left.endColumn === right.endColumn;

const toStep = (own: string, { path, line, message }: CodeStep, index: number): FlowStep => ({
  number: index + 1,
  path: path ?? own,
  start_line: line,
  message,
});

/** `use`: the flow is certain, but not that its end does harm. */
const grounds: Record<'input' | 'parameter' | 'use' | 'form', Record<Confidence, string>> = {
  input: {
    high: 'Each step from the input to its use was followed. It is harmless only if a check was not recognised.',
    medium: 'The input goes through a function whose code was not found. It is harmless if that function checks it.',
    low: '',
  },
  parameter: {
    high: '',
    medium: 'No call that passes input was found. It is harmless if every caller passes trusted values.',
    low: '',
  },
  use: {
    high: '',
    medium: 'Each step to the use was followed. It is harmless if code elsewhere, such as a route, limits the values.',
    low: 'Each step to the use was followed. It is harmless if nothing relies on the result being secret or unchanged.',
  },
  form: {
    high: '',
    medium: 'It was recognised by its form. It is harmless if the value is never secret and never comes from outside.',
    low: 'It was recognised by names alone. It is harmless if nothing relies on the value being secret or unchanged.',
  },
};

/** Returns a paragraph with the reason to believe a finding, and with what would make it harmless. */
function groundsOf(rule: CodeRule, { confidence, flow }: CodeHit): string {
  const [, origin] = /^(Input|Parameter) /.exec(flow?.[0]?.message ?? '') ?? [];
  const ofRule = grounds[flow ? 'use' : 'form'][rule.confidence];
  const ofFlow = origin === undefined ? '' : grounds[origin === 'Input' ? 'input' : 'parameter'][confidence];
  const text = confidence === 'high' ? ofRule || ofFlow : ofFlow;
  return text === '' ? '' : `\n\n${text}`;
}

function toDetection(
  rule: CodeRule,
  file: { path: string; knownPath: string },
  hit: CodeHit,
  ordinal: number,
): Detection {
  const { path, knownPath } = file;
  const weaknesses = rule.cwe.map((id) => `https://cwe.mitre.org/data/definitions/${id.slice(4)}.html`);
  const references = [...rule.references, ...weaknesses];
  const { startLine, endLine, startColumn, endColumn } = hit;
  return {
    fingerprint: fingerprint('code', rule.id, knownPath, hit.content, String(ordinal)),
    title: `${rule.title} in ${path}`,
    description: `**${rule.title}** in \`${path.replaceAll('`', "'")}\`, line ${startLine}.\n\n${rule.description}${groundsOf(rule, hit)}`,
    severity: severityAt(path, rule.severity),
    rule: { id: rule.id, name: rule.title, url: references[0] ?? null },
    location: {
      path,
      start_line: startLine,
      end_line: endLine,
      start_column: startColumn,
      end_column: endColumn,
      commit: null,
      url: null,
      package: null,
    },
    places: [{ path, start_line: startLine, end_line: endLine, commit: null }],
    occurrences: 1,
    identifiers: rule.cwe,
    cvss_score: null,
    confidence: lowerConfidence(rule.confidence, hit.confidence),
    evidence: hit.line,
    flow: hit.flow ? boundFlow(hit.flow.map((step, index) => toStep(path, step, index))) : null,
    remediation: rule.remediation,
    references: [...new Set(references)],
  };
}
