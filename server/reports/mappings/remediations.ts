import { knownWeakness, secretTools } from '../../findings/standards/known-rules.ts';
import { standardSources } from '../../findings/standards/standards.ts';
import { weaknessNumber } from '../../findings/standards/weaknesses.ts';
import type { ReportLanguage } from '../report-document.ts';
import { tables } from '../sentences/wording.ts';

/** The facts of a finding that advice depends on. */
export type Advised = {
  title: string;
  source: string;
  rule: { id: string; name: string };
  identifiers: string[];
  remediation: string | null;
  location: { path: string | null; url: string | null; package: object | null };
};

/** The technology of a finding: advice for another technology does not fit. */
type Place = 'package' | 'connection' | 'web' | 'host' | 'container' | 'infrastructure' | 'cloud' | 'activity' | 'code';

const cloudTools = /^(prowler|scoutsuite|defender-for-cloud|wiz|security-hub|config)$/;
const activityTools = /guardduty|macie/;
const webTools = /^(web|zap|burp|acunetix|nikto|qualys-was)$/;
const connection = /\b(TLS|SSL|STARTTLS|ciphers?|cipher suites?|certificates?|BEAST|POODLE|Heartbleed|OCSP)\b/i;
const containerFile = /(?:^|[/\\])(?:Dockerfile|Containerfile)[^/\\]*$|\.dockerfile$/i;
const infrastructureFile = /\.(?:tf|hcl|bicep)$|\.tf\.json$/i;

function placeOf({ source, title, rule, location }: Advised): Place {
  const { path, url } = location;
  if (location.package !== null) return 'package';
  if (activityTools.test(source)) return 'activity';
  if (cloudTools.test(source)) return 'cloud';
  if (source === 'testssl' || (path === null && connection.test(`${rule.name} ${title}`))) return 'connection';
  if (path !== null && (containerFile.test(path) || source === 'hadolint' || source === 'dockle')) return 'container';
  if (standardSources.configuration!.includes(source) || (path !== null && infrastructureFile.test(path)))
    return source === 'dockle' ? 'container' : 'infrastructure';
  if (path !== null && !webTools.test(source)) return 'code';
  return webTools.test(source) || url !== null ? 'web' : 'host';
}

/** Advice on a connection, by a term in the rule or title; the first match applies. */
const onConnections: Array<[pattern: RegExp, key: string]> = [
  [/heartbleed|\bCCS\b|ticketbleed|ROBOT|opossum|software/i, 'tls_software'],
  [/banner|server_time|HTTP_clock/i, 'banner'],
  [/HSTS|HPKP|cookie|security_headers|X-[A-Z]|Content-Security|Referrer|Permissions-Policy|BREACH|cache/i, 'header'],
  [/cert|chain|OCSP|CAA|CRL|common ?name|SAN\b|trust/i, 'certificate'],
];
/** The names of secrets, for rules and tools that name no weakness. */
export const secretNames =
  /\b((access|api|private|secret|encryption|pkcs8) key|password in|(access|auth|bot) token|webhook url)\b/i;
const missingHeader = /header|cookie|clickjack|\bHSTS\b|\bCSP\b/i;
const openPort = /^open[- ]port/i;

function familyOf(finding: Advised, place: Place): string {
  const named = `${finding.rule.id} ${finding.rule.name} ${finding.title}`;
  if (place === 'package') return 'remediation.1395';
  if (place === 'connection') return `advice.${onConnections.find(([pattern]) => pattern.test(named))?.[1] ?? 'tls'}`;
  if (place === 'host' && openPort.test(finding.rule.id)) return 'advice.port';
  if (place === 'web' && missingHeader.test(named)) return 'advice.header';
  return `advice.${place}`;
}

/**
 * Advice on weaknesses that is specific to a technology, and where it fits; elsewhere the alternative or the family's
 * advice applies.
 */
const onlyIn: Record<number, { places: Place[]; otherwise?: string }> = {
  // Many tools report these two for a variety of problems.
  16: { places: ['host', 'web'] },
  20: { places: ['code', 'web'] },
  // About `Strict-Transport-Security` and HTTP headers.
  319: { places: ['web'], otherwise: 'encrypt' },
  693: { places: ['web'], otherwise: 'protect' },
  // About the history of a repository.
  259: { places: ['code', 'infrastructure', 'container'], otherwise: 'credential' },
  798: { places: ['code', 'infrastructure', 'container'], otherwise: 'credential' },
  // About HTTP and requests to an application.
  200: { places: ['code', 'web'] },
  444: { places: ['code', 'web'] },
  862: { places: ['code', 'web'] },
};

function keyOf(finding: Advised): string {
  const { source, rule, identifiers } = finding;
  const place = placeOf(finding);
  const family = familyOf(finding, place);
  // An upgrade, or a connection setting, is the remedy whatever the weakness.
  if (place === 'package' || place === 'connection' || place === 'activity') return family;
  const named = identifiers.map(weaknessNumber).filter((number) => number !== undefined);
  const known = knownWeakness({ source, ruleId: rule.id, isPackage: false });
  for (const number of [...named, ...(known === undefined ? [] : [known])]) {
    const { places = null, otherwise = null } = onlyIn[number] ?? {};
    const fits = places === null || places.includes(place);
    const key = fits ? `remediation.${number}` : otherwise && `advice.${otherwise}`;
    if (key && key in tables.en) return key;
  }
  return secretTools.test(source) || secretNames.test(rule.name) ? 'remediation.798' : family;
}

const keysByText = new Map(
  Object.entries(tables.en).flatMap(([key, text]) =>
    /^(remediation|advice)\./.test(key) ? [[text, key] as const] : [],
  ),
);
const textIn = (key: string, language: ReportLanguage): string => (tables[language] as Record<string, string>)[key]!;

/** Returns advice in a language: general advice, which is stored in English, is translated; a tool's advice is not. */
export function adviceIn(advice: string, language: ReportLanguage): string {
  const key = keysByText.get(advice);
  return key === undefined ? advice : textIn(key, language);
}

/**
 * Returns advice on fixing a finding: from its tool, or else by its rule, by its weakness if the advice fits, or by its
 * family.
 */
export function remediationFor(finding: Advised, language: ReportLanguage): string {
  const { remediation } = finding;
  return remediation?.trim() ? adviceIn(remediation, language) : textIn(keyOf(finding), language);
}
