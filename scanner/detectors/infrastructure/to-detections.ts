import type { Detection } from '../../contract/detection.ts';
import { fingerprint } from '../../contract/fingerprint.ts';
import { severities } from '../../contract/severity.ts';
import { severityAt } from '../../contract/test-path.ts';
import { redactTexts } from '../secrets/redact-text.ts';
import type { Hit } from './file-scanner.ts';
import type { InfrastructureRule, Sight } from './rule.ts';
import { rules } from './rules/index.ts';

const byId = new Map(rules.map((rule) => [rule.id, rule]));

const maxPlaces = 100;

/**
 * Builds the detections of files. A detection is identified by the check, the file's identifying path, the resource (a
 * container, a stage, a job) and its number among equal ones, so lines may move. A workload that is rendered into
 * several manifests, such as one for each environment, has one detection with several places.
 */
export class Detections {
  readonly #workloads = new Map<string, Detection[]>();

  /** Returns the detections of a file, without those of workloads: other manifests may follow. */
  add(file: { path: string; knownPath: string; hits: Hit[] }): Detection[] {
    const seen = new Map<string, number>();
    return file.hits.flatMap(({ ruleId, sight }) => {
      const rule = byId.get(ruleId);
      if (!rule) return [];
      const key = `${ruleId} ${sight.resource}`;
      const ordinal = seen.get(key) ?? 0;
      seen.set(key, ordinal + 1);
      const detection = toDetection(rule, file, sight, ordinal);
      if (sight.images === undefined) return [detection];
      const workload = JSON.stringify([ruleId, sight.resource, sight.images, sight.knownAs, ordinal]);
      const known = this.#workloads.get(workload);
      if (known) known.push(detection);
      else this.#workloads.set(workload, [detection]);
      return [];
    });
  }

  /** Returns the detections of workloads after the last file. */
  finish(): Detection[] {
    return [...this.#workloads.values()].map((detections) => {
      const [first, ...others] = detections.sort(comparePlaces);
      return {
        ...first!,
        places: [first!, ...others].flatMap(({ places }) => places).slice(0, maxPlaces),
        occurrences: detections.length,
      };
    });
  }
}

/** The most severe place comes first, then the one closest to the root: a base comes before its overlays. */
function comparePlaces(left: Detection, right: Detection): number {
  const rank = ({ severity }: Detection) => severities.indexOf(severity);
  const [one, other] = [left.location.path ?? '', right.location.path ?? ''];
  const depth = (path: string) => path.split('/').length;
  return rank(left) - rank(right) || depth(one) - depth(other) || (one < other ? -1 : 1);
}

function toDetection(
  rule: InfrastructureRule,
  { path, knownPath }: { path: string; knownPath: string },
  { resource, startLine, endLine, evidence: quoted, knownAs = rule.knownAs }: Sight,
  ordinal: number,
): Detection {
  const [evidence = '', shown = ''] = redactTexts([quoted, resource.split('\n')[0]!]);
  const place = { path, start_line: startLine, end_line: endLine, commit: null };
  return {
    fingerprint: fingerprint('infrastructure', rule.id, knownPath, resource, String(ordinal)),
    title: `${rule.title}: ${shown} in ${path}`.slice(0, 500),
    description: `**${rule.title}** in \`${path.replaceAll('`', "'")}\`, line ${startLine}: ${shown}.\n\n${rule.risk}`,
    severity: severityAt(path, rule.severity),
    rule: { id: rule.id, name: rule.title, url: rule.references[0] ?? null },
    location: { ...place, start_column: null, end_column: null, url: null, package: null },
    places: [place],
    occurrences: 1,
    identifiers: [...rule.cwe, ...knownAs],
    cvss_score: null,
    confidence: rule.confidence ?? 'high',
    evidence,
    remediation: rule.remediation,
    references: rule.references,
  };
}
