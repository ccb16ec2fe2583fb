import { scoreOfVector } from '../../../advisories/cvss.ts';
import type { Suppression } from '../../../contract/suppression.ts';
import type { ReadDetection } from '../../format.ts';
import { advisoryIdentifiers } from '../../identifiers.ts';
import { packageResult, purlType } from '../../package-result.ts';
import { cvssScore, severityOf } from '../../severity-words.ts';

/** The parts of a component that a finding needs. */
export type Component = { name: string; version: string | undefined; purl: string | undefined };

export type Rating = { source?: string; score?: number; word?: string; method?: string; vector?: string };

/** A vulnerability, from JSON or XML. */
export type BomVulnerability = {
  id: string;
  sourceName?: string;
  url?: string;
  aliases: string[];
  ratings: Rating[];
  weaknesses: string[];
  description?: string;
  detail?: string;
  recommendation?: string;
  references: string[];
  analysis: { state?: string; justification?: string; responses: string[]; detail?: string };
  /** References to components, with the versions that are unaffected or have a status. */
  affects: Array<{ ref: string; statuses: string[] }>;
};

/** VEX states in which a vulnerability is resolved and not a finding. */
const fixedStates = new Set(['resolved', 'resolved_with_pedigree']);

/**
 * Returns whether this is an analysis of a vulnerability in another file, as in a standalone VEX file: not a finding,
 * but a decision on one.
 */
export const isStatement = ({ analysis, affects }: BomVulnerability, components: Map<string, Component>): boolean =>
  components.size === 0 && affects.length > 0 && analysis.state !== undefined;

/** One finding for each affected component; a vulnerability without components is a finding about the whole. */
export function* bomResults(
  found: BomVulnerability,
  components: Map<string, Component>,
  source: string,
): Generator<ReadDetection> {
  if (fixedStates.has(found.analysis.state ?? '')) return;
  const rating = chooseRating(found);
  const score = scoreOf(rating) ?? highestScore(found.ratings);
  const suppression = suppressionOf(found);
  const targets = found.affects.length > 0 ? found.affects : [{ ref: '', statuses: [] }];
  for (const { ref, statuses } of targets) {
    if (statuses.length > 0 && statuses.every((status) => status === 'unaffected')) continue;
    const component = components.get(ref) ?? fromReference(ref);
    const result = packageResult({
      source,
      advisory: found.id,
      aliases: found.aliases,
      ecosystem: purlType(component.purl),
      name: component.name,
      version: component.version,
      purl: component.purl,
      description: [found.description, found.detail].filter(Boolean).join('\n\n') || undefined,
      severity: severityOf(rating?.word, score),
      score,
      weaknesses: found.weaknesses,
      url: found.url,
      references: found.references,
      suppression,
    });
    yield {
      ...result,
      remediation: found.recommendation ?? result.remediation,
      identifiers: [...(result.identifiers ?? []), ...advisoryIdentifiers(found.description)].filter(
        (text) => text !== '',
      ),
    };
  }
}

/** BOM-Links refer to components of other files: by package URL, otherwise by name. */
function fromReference(ref: string): Component {
  const bare = ref.startsWith('urn:cdx:') ? decodeLoosely(ref.split('#')[1] ?? ref) : ref;
  const match = /^pkg:[^/]+\/([^@?#]+)(?:@([^?#]+))?/.exec(bare);
  if (!match) return { name: bare || 'the application', version: undefined, purl: undefined };
  return { name: decodeLoosely(match[1]!), version: match[2] && decodeLoosely(match[2]), purl: bare };
}

function decodeLoosely(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const methodOrder = ['cvssv4', 'cvssv31', 'cvssv3', 'owasp', 'ssvc', 'other', '', 'cvssv2'];
const methodRank = (rating: Rating): number =>
  methodOrder.indexOf((rating.method ?? '').toLowerCase().replace(/[^a-z0-9]/g, ''));

/**
 * Chooses among several ratings of one vulnerability: first that of the reporting source (a distribution knows its own
 * packages best), then one without a source, then by the newest method; CVSS 2 last.
 */
function chooseRating(found: BomVulnerability): Rating | undefined {
  const usable = found.ratings.filter((rating) => rating.word !== undefined || scoreOf(rating) !== undefined);
  const own = usable.filter((rating) => rating.source !== undefined && rating.source === found.sourceName);
  const candidates = own.length > 0 ? own : usable;
  return candidates.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
}

const rankOf = (rating: Rating): number => {
  const rank = methodRank(rating);
  return rank === -1 ? methodOrder.length - 2 : rank;
};

const scoreOf = (rating: Rating | undefined): number | undefined =>
  rating === undefined ? undefined : (cvssScore(rating.score) ?? scoreOfVector(rating.vector));

function highestScore(ratings: Rating[]): number | undefined {
  const scores = ratings.toSorted((a, b) => rankOf(a) - rankOf(b)).map(scoreOf);
  return scores.find((score) => score !== undefined);
}

/**
 * VEX: "not affected" and "false positive" both become a false positive; "exploitable" with "will not fix" becomes an
 * accepted risk.
 */
function suppressionOf({ analysis }: BomVulnerability): Suppression | undefined {
  const said = [analysis.justification?.replaceAll('_', ' '), analysis.detail].filter(Boolean).join(': ');
  if (analysis.state === 'not_affected' || analysis.state === 'false_positive') {
    return { status: 'false_positive', reason: `VEX: ${analysis.state.replace('_', ' ')}${said && ` (${said})`}.` };
  }
  if (analysis.responses.includes('will_not_fix')) {
    return { status: 'accepted_risk', reason: `VEX: will not fix${said && ` (${said})`}.` };
  }
  return undefined;
}
