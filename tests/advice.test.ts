import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtInRulesDirectory, readRules } from '../scanner/detectors/code/read-rules.ts';
import { rules as infrastructureRules } from '../scanner/detectors/infrastructure/rules/index.ts';
import { providerRules } from '../scanner/detectors/secrets/rules/index.ts';
import { FormatError } from '../scanner/readers/format-error.ts';
import { readAll } from '../scanner/readers/testing/formats.fixture.ts';
import { samples } from '../scanner/readers/testing/samples.fixture.ts';
import { type Advised, remediationFor } from '../server/reports/mappings/remediations.ts';

const data = process.env.ASSAY_TEST_DATA;
const results = data && join(data, 'results');

async function* readFindings(): AsyncGenerator<Advised> {
  for (const [format, content] of samples) yield* (await readAll(content, { format })).all;
  if (!results || !existsSync(results)) return;
  for (const { parentPath, name } of readdirSync(results, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )) {
    if (name === 'expected.json') continue;
    try {
      yield* (await readAll(readFileSync(join(parentPath, name)))).all;
    } catch (error) {
      // Some of the files are broken on purpose.
      if (!(error instanceof FormatError)) throw error;
    }
  }
}

const inFile = ({ location }: Advised) => location.path !== null;
const says = (pattern: RegExp) => (finding: Advised) =>
  pattern.test([finding.source, finding.rule.id, finding.rule.name, finding.title, finding.location.path].join(' '));
const hasCwe =
  (...numbers: number[]) =>
  (finding: Advised) =>
    numbers.some((number) => finding.identifiers.some((id) => new RegExp(`^CWE-0*${number}\\b`).test(id)));

/** Technologies named in advice, with the findings that are about them. */
const technologies: Array<[word: RegExp, ...about: Array<(finding: Advised) => boolean>]> = [
  [
    /\bTLS\b/,
    says(/tls|ssl|cipher|certificate|telnet|ftp|http|crypt|host key/i),
    hasCwe(295, 310, 311, 319, 326, 327, 522, 523),
  ],
  [
    /\bHTTP\b|header|cookie|\bpages?\b/i,
    ({ location }) => location.url !== null,
    says(/http|web|xss|cookie|header|csrf|nikto|zap|burp|acunetix|testssl|nuclei|mark_safe|mako|qualys-was/i),
    hasCwe(79, 80, 113, 352, 444, 598, 614, 693, 829, 1004, 1021, 1275),
  ],
  [/repositor|rule says about the place|file that defines/i, inFile],
  [/\bcomponent\b/, ({ location }) => location.package !== null],
  [/\bimage\b|build file/, says(/docker|hadolint|dockle|container/i)],
  [
    /pointer|memory is|memory checker|\bbuffer\b/i,
    says(/\.(c|cc|cpp|h|hpp|rs|go)\b|overflow|memory|unsafe/i),
    hasCwe(119, 120, 121, 122, 125, 126, 416, 476, 787),
  ],
  [/prepared statements/, says(/sql/i), hasCwe(89)],
  [/LDAP/, says(/ldap/i), hasCwe(90)],
  [/XML/, says(/xml|xxe/i), hasCwe(611, 776)],
  [/__proto__/, says(/\.[jt]sx?\b|javascript|eslint|prototype|object-injection/i), hasCwe(1321)],
];

test('each finding of any tool has advice, and general advice names only its own technology', async () => {
  let findings = 0;
  const wrong = new Set<string>();
  for await (const finding of readFindings()) {
    findings += 1;
    for (const language of ['en', 'de'] as const) assert.ok(remediationFor(finding, language).trim(), finding.title);
    const advice = remediationFor({ ...finding, remediation: null }, 'en');
    for (const [word, ...about] of technologies)
      if (word.test(advice) && !about.some((is) => is(finding)))
        wrong.add(
          `${finding.source} ${finding.rule.id} ${finding.title.slice(0, 80)} [${finding.identifiers.slice(0, 3)}]: ${advice}`,
        );
  }
  assert.ok(findings > 150, `${findings} findings`);
  assert.deepEqual([...wrong], []);
});

const languages: Record<string, RegExp> = {
  csharp: /\b(C#|ASP\.NET|SqlCommand)\b|\.NET\b/,
  go: /\b(Golang|net\/http|html\/template|crypto\/rand|os\/exec)\b/,
  java: /\b(Java|Spring|PreparedStatement|SecureRandom)\b/,
  javascript: /\b(JavaScript|TypeScript|Node(\.js)?|Express|JSON\.parse|innerHTML)\b/,
  php: /\b(PHP|Laravel|PDO)\b|htmlspecialchars/,
  python: /\b(Python|Django|Flask|Jinja2?|ast\.literal_eval|subprocess|yaml\.safe_load)\b/,
  ruby: /\b(Ruby|Rails|ActiveRecord)\b/,
};

test('each built-in rule has advice, and advice for a language names no other', async () => {
  for (const { id, remediation } of [...infrastructureRules, ...providerRules]) assert.ok(remediation.trim(), id);
  const { rules, errors } = await readRules(builtInRulesDirectory, false);
  assert.deepEqual(errors, []);
  assert.ok(rules.length > 100, `${rules.length} rules`);
  for (const { id, remediation } of rules) {
    assert.ok(remediation.trim(), id);
    for (const [language, pattern] of Object.entries(languages))
      if (!id.startsWith(language)) assert.doesNotMatch(remediation, pattern, id);
  }
});
