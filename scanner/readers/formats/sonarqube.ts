import type { Severity } from '../../contract/severity.ts';
import type { Suppression } from '../../contract/suppression.ts';
import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers, taggedWeaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { filePath } from '../paths.ts';
import { severityOf } from '../severity-words.ts';
import { firstText, number, object, objects, position, text, texts } from '../values.ts';

const source = 'sonarqube';

/**
 * SonarQube's and SonarCloud's issues and hotspots in the form of their Web API (`api/issues/search`,
 * `api/hotspots/search`). One finding for each issue of any type, which is also a tag (`vulnerability`, `bug`,
 * `code-smell`), by SonarQube's own key. Severity: blocker is `critical`, critical `high`, major `medium`; for hotspots
 * the probability. Fixed issues are not findings. The API returns pages: a page of several closes no findings.
 */
export const sonarqube: Format = {
  name: 'sonarqube',
  title: 'SonarQube',
  recognise(head) {
    if (hasPaths(head, 'issues[].rule', 'issues[].component')) return 1;
    if (hasPaths(head, 'hotspots[].ruleKey') || hasPaths(head, 'hotspots[].vulnerabilityProbability')) return 1;
    // The form without issues.
    return hasPaths(head, 'paging.pageSize') && (hasPaths(head, 'issues') || hasPaths(head, 'hotspots')) ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    let count = 0;
    let total = 0;
    for await (const event of readJson(chunks, ['issues[*]', 'hotspots[*]', 'paging'])) {
      requireRootMember(event, ['issues', 'hotspots'], 'SonarQube');
      if (event.kind !== 'item') continue;
      if (event.pattern === 'paging') {
        total = number(object(event.value).total) ?? 0;
        continue;
      }
      count += 1;
      const issue = objectAt(event.value, event.path);
      if (isOpen(issue)) yield readIssue(issue, event.path, context);
    }
    if (total > count) context.incomplete('The file is one page of several of SonarQube’s answer.');
  },
};

const stateOf = (issue: JsonObject): string =>
  (firstText(issue.resolution, issue.issueStatus, issue.status) ?? '').replaceAll('-', '_').toUpperCase();

const isOpen = (issue: JsonObject): boolean => !/^(FIXED|REMOVED|CLOSED)$/.test(stateOf(issue));

const levels: Record<string, Severity> = {
  BLOCKER: 'critical',
  CRITICAL: 'high',
  MAJOR: 'medium',
  MINOR: 'low',
  INFO: 'info',
};

function readIssue(issue: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const rule = text(issue.ruleKey) ?? requiredText(issue, 'rule', path);
  const key = requiredText(issue, 'key', path);
  const component = text(issue.component) ?? '';
  const project = text(issue.project) ?? '';
  const range = object(issue.textRange);
  const message = text(issue.message) ?? rule;
  const tags = texts(issue.tags);
  const type = text(issue.type) ?? (text(issue.vulnerabilityProbability) && 'SECURITY_HOTSPOT');
  const result = codeResult(
    {
      source,
      title: message,
      description: [message, project && `Project: ${project}`].filter(Boolean).join('\n\n'),
      severity: severityOfIssue(issue),
      rule: {
        id: rule,
        name: rule,
        tags: [...(type ? [type.toLowerCase().replaceAll('_', '-')] : []), ...tags],
      },
      location: {
        path: filePath(
          project && component.startsWith(`${project}:`) ? component.slice(project.length + 1) : component,
        ),
        start_line: position(range.startLine) ?? position(issue.line),
        end_line: position(range.endLine) ?? position(issue.line),
        // SonarQube counts columns from 0.
        start_column: position((number(range.startOffset) ?? -1) + 1),
        end_column: position((number(range.endOffset) ?? -1) + 1),
      },
      content: undefined,
      identifiers: [...advisoryIdentifiers(message), ...taggedWeaknesses([...tags, message])],
      suppression: suppressionOf(issue),
    },
    context,
  );
  return { ...result, identity: ['sonarqube', key], equals: 'places' };
}

/** The severity for security if SonarQube rates an issue for several qualities, otherwise the issue's own. */
function severityOfIssue(issue: JsonObject): Severity {
  const impact = objects(issue.impacts).find((one) => one.softwareQuality === 'SECURITY');
  const word = text(impact?.severity);
  if (word && word !== 'BLOCKER') return severityOf(word, undefined, 'medium');
  const own = text(issue.severity);
  return levels[word ?? own ?? ''] ?? severityOf(issue.vulnerabilityProbability ?? own, undefined, 'medium');
}

const decisions: Record<string, Suppression> = {
  FALSE_POSITIVE: { status: 'false_positive', reason: 'Marked as a false positive in SonarQube.' },
  SAFE: { status: 'false_positive', reason: 'Reviewed as safe in SonarQube.' },
  WONTFIX: { status: 'accepted_risk', reason: 'Marked as “won’t fix” in SonarQube.' },
  ACCEPTED: { status: 'accepted_risk', reason: 'Accepted in SonarQube.' },
  ACKNOWLEDGED: { status: 'accepted_risk', reason: 'Acknowledged in SonarQube.' },
};

const suppressionOf = (issue: JsonObject): Suppression | undefined => decisions[stateOf(issue)];
