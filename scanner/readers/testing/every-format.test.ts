import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { severities } from '../../contract/severity.ts';
import { FormatError } from '../format-error.ts';
import { formats } from '../index.ts';
import { unknownSeverityWords } from '../severity-words.ts';
import { isOnlyId } from '../titles.ts';
import { sampleSecret } from './code-samples.fixture.ts';
import { readAll, sorted } from './formats.fixture.ts';
import { samples } from './samples.fixture.ts';

/** The complete files that tools write without findings, with the names of their formats. */
const emptyResults: Array<[format: string, content: string]> = [
  ['sarif', '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"T"}},"results":[]}]}'],
  ['cyclonedx', '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[]}'],
  ['trivy', '{"SchemaVersion":2,"ArtifactName":"a","ArtifactType":"filesystem","Metadata":{}}'],
  ['trivy', '{"ClusterName":"kind"}'],
  ['trivy', '{"ClusterName":"kind","Resources":[]}'],
  ['trivy', 'null'],
  ['grype', '{"matches":[],"source":{"type":"directory"},"descriptor":{"name":"grype"}}'],
  ['grype', '{"matches":[]}'],
  ['detect-secrets', '{"version":"1.5.0","plugins_used":[],"filters_used":[],"results":{}}'],
  ['semgrep', '{"version":"1.1","results":[],"errors":[],"paths":{"scanned":["a"]}}'],
  ['semgrep', '{"results":[],"errors":[]}'],
  ['osv-scanner', '{"results":[],"experimental_config":{"licenses":{"summary":false}}}'],
  ['osv-scanner', '{"results":[]}'],
  ['npm-audit', '{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}'],
  ['npm-audit', '{"actions":[],"advisories":{},"muted":[],"metadata":{}}'],
  ['pip-audit', '{"dependencies":[],"fixes":[]}'],
  ['pip-audit', '{"dependencies":[]}'],
  ['govulncheck', '{"config":{"protocol_version":"v1.0.0","scanner_name":"govulncheck"}}'],
  ['gosec', '{"Golang errors":{},"Issues":null,"Stats":{"files":1,"found":0},"GosecVersion":"dev"}'],
  ['bandit', '{"errors":[],"generated_at":"x","metrics":{"_totals":{}},"results":[]}'],
  ['cargo-audit', '{"database":{"advisory-count":1},"lockfile":{},"vulnerabilities":{"list":[]},"warnings":{}}'],
  ['checkov', '{"passed":0,"failed":0,"skipped":0,"parsing_errors":0,"checkov_version":"3"}'],
  ['kics', '{"kics_version":"2","files_scanned":1,"queries_total":0,"total_counter":0,"queries":[]}'],
  ['tfsec', '{"results":null}'],
  ['dockle', '{"summary":{"fatal":0,"warn":0,"info":0,"skip":0,"pass":16},"details":[]}'],
  ['brakeman', '{"scan_info":{"brakeman_version":"6"},"warnings":[],"ignored_warnings":[],"errors":[]}'],
  ['gitlab', '{"version":"15.0.0","vulnerabilities":[],"remediations":[],"scan":{"type":"sast"}}'],
  ['gitlab', '{"version":"15.0.0","vulnerabilities":[]}'],
  ['sonarqube', '{"paging":{"pageIndex":1,"pageSize":100,"total":0},"issues":[]}'],
  ['checkmarx', '<CxXMLResults ScanId="1"></CxXMLResults>'],
  ['veracode', '<detailedreport xmlns="https://www.veracode.com/schema/reports/export/1.0"/>'],
  ['snyk', '{"vulnerabilities":[],"ok":true,"dependencyCount":3,"packageManager":"npm"}'],
  ['snyk', '{"infrastructureAsCodeIssues":[],"ok":true}'],
  ['nmap', '<nmaprun scanner="nmap"><runstats><finished exit="success"/></runstats></nmaprun>'],
  ['zap', '{"@programName":"ZAP","@version":"2","site":[]}'],
  ['zap', '<OWASPZAPReport version="2"></OWASPZAPReport>'],
  ['burp', '<!DOCTYPE issues [<!ELEMENT issues (issue*)>]><issues burpVersion="2"></issues>'],
  ['acunetix', '<ScanGroup><Scan><StartURL>http://a</StartURL><ReportItems/></Scan></ScanGroup>'],
  ['openvas', '<report id="1" format_id="x"><report id="2"><results max="1" start="1"></results></report></report>'],
  ['openvas', 'IP,Hostname,Port,Port Protocol,CVSS,Severity,NVT Name,NVT OID\n'],
  ['nessus', '<NessusClientData_v2><Report name="x"></Report></NessusClientData_v2>'],
  ['nessus', 'Plugin ID,CVE,CVSS v2.0 Base Score,Risk,Host,Protocol,Port,Name\n'],
  ['qualys', '<ASSET_DATA_REPORT><HEADER/><HOST_LIST/></ASSET_DATA_REPORT>'],
  ['qualys', '<HOST_LIST_VM_DETECTION_OUTPUT><RESPONSE/></HOST_LIST_VM_DETECTION_OUTPUT>'],
  ['qualys', '<WAS_SCAN_REPORT><RESULTS/></WAS_SCAN_REPORT>'],
  ['qualys', '"IP","DNS","QID","Title","Vuln Status","Type","Severity","Port"\n'],
  ['nexpose', '<NexposeReport version="2.0"><scans/><nodes/><VulnerabilityDefinitions/></NexposeReport>'],
  ['nexpose', 'Asset IP Address,Service Port,Vulnerability Test Result Code,Vulnerability ID\n'],
  ['nikto', '<niktoscan><scandetails targetip="1" targethostname="a" targetport="80"/></niktoscan>'],
  ['nikto', '[{"host":"a","ip":"1","port":"80","banner":"","vulnerabilities":[]}]'],
  ['testssl', '"id","fqdn/ip","port","severity","finding","cve","cwe"\n'],
  ['asff', '{"Findings":[]}'],
  [
    'assay',
    '{"findings":[],"warnings":[],"ignored":[],"known":[],"coverage":[{"source":"code","partial":[],"uncovered":[]}],"tool":{"name":"Assay"}}',
  ],
  ['acunetix', '{"Generated":"x","Target":{"ScanId":"1","Url":"http://a"},"Vulnerabilities":[]}'],
  ['mobsf', '{"app_name":"a","file_name":"a.apk","md5":"0","code_analysis":{"findings":{},"summary":{}}}'],
  ['scoutsuite', 'scoutsuite_results =\n{"last_run":{"ruleset_name":"default","summary":{}},"services":{}}'],
  [
    'scoutsuite',
    '{"account_id":"1","last_run":{"ruleset_name":"default","summary":{},"version":"5.14.0"},"provider_code":"aws","services":{"s3":{"findings":{}}}}',
  ],
  ['defender', 'subscriptionId,resourceId,recommendationName,severity,state\n'],
  ['wiz', 'Created At,Title,Severity,Status,Issue ID,Wiz URL\n'],
  ['wiz', 'ID,WizURL,Name,FindingStatus,DetailedName,Version\n'],
  ['prowler', 'AUTH_METHOD;TIMESTAMP;ACCOUNT_UID;FINDING_UID;CHECK_ID;STATUS;SEVERITY\n'],
];

test('every format has a sample, and is recognised by it', async () => {
  assert.deepEqual(
    formats.map((format) => format.name).filter((name) => !samples.some(([format]) => format === name)),
    [],
    'Add a file of each of these formats to samples.fixture.ts.',
  );
  for (const [format, content] of samples) {
    const file = await readAll(content);
    assert.equal(file.format.name, format);
    assert.ok(file.all.length > 0, format);
    assert.ok(file.sources.size > 0, format);
  }
});

test('the version in a file is read once for each source, in one line', async () => {
  const run = (driver: object) => ({ tool: { driver }, results: [] });
  const cases: Array<[format: string, content: string | object, versions: Record<string, string>]> = [
    [
      'sarif',
      { version: '2.1.0', runs: [run({ name: 'CodeQL', version: 'v2', semanticVersion: '2.15.3' })] },
      { codeql: '2.15.3' },
    ],
    ['sarif', { version: '2.1.0', runs: [run({ name: 'A', version: '1' }), run({ name: 'B' })] }, { a: '1' }],
    [
      'sarif',
      { version: '2.1.0', runs: [run({ name: 'A', version: ` 1.0\n(${'x'.repeat(99)})` })] },
      { a: `1.0 (${'x'.repeat(55)}` },
    ],
    ['sarif', { version: '2.1.0', runs: [run({ name: 'A', version: 7, semanticVersion: 'unknown' })] }, {}],
    ['semgrep', { version: '1.96.0', results: [], errors: [], paths: {} }, { semgrep: '1.96.0' }],
    ['grype', { matches: [], descriptor: { name: 'grype', version: '0.85.0' } }, { grype: '0.85.0' }],
    ['gosec', { Issues: [], Stats: {}, GosecVersion: '2.21.4' }, { gosec: '2.21.4' }],
    ['kics', { kics_version: 'v2.1.3', queries: [] }, { kics: 'v2.1.3' }],
    [
      'checkov',
      { check_type: 'terraform', results: { failed_checks: [] }, summary: { checkov_version: '3.2.1' } },
      { checkov: '3.2.1' },
    ],
    [
      'brakeman',
      { scan_info: { brakeman_version: '6.2.2' }, warnings: [], ignored_warnings: [], errors: [] },
      { brakeman: '6.2.2' },
    ],
    [
      'gitlab',
      { version: '15.0.0', vulnerabilities: [], scan: { type: 'sast', scanner: { id: 'bandit', version: '1.8' } } },
      { bandit: '1.8' },
    ],
    ['zap', { '@programName': 'ZAP', '@version': '2.15.0', site: [] }, { zap: '2.15.0' }],
    ['zap', '<OWASPZAPReport programName="ZAP" version="2.14.0"><site name="a"/></OWASPZAPReport>', { zap: '2.14.0' }],
    [
      'nmap',
      '<nmaprun scanner="nmap" version="7.95"><runstats><finished exit="success"/></runstats></nmaprun>',
      { nmap: '7.95' },
    ],
    ['govulncheck', { config: { scanner_name: 'govulncheck', scanner_version: 'v1.1.3' } }, { govulncheck: 'v1.1.3' }],
    [
      'cyclonedx',
      { bomFormat: 'CycloneDX', metadata: { tools: { components: [{ name: 'trivy', version: '0.58.0' }] } } },
      { trivy: '0.58.0' },
    ],
    [
      'trivy',
      { SchemaVersion: 2, Trivy: { Version: '0.69.1' }, ArtifactName: 'shop', Results: [] },
      { trivy: '0.69.1' },
    ],
    ['mobsf', { version: 'v3.9.1', app_name: 'Shop', file_name: 'shop.apk', md5: 'x' }, { mobsf: 'v3.9.1' }],
    [
      'scoutsuite',
      'scoutsuite_results =\n{"account_id": "1", "last_run": {"ruleset_name": "x", "version": "5.14.0"}, "services": {}}',
      { scoutsuite: '5.14.0' },
    ],
    [
      'prowler',
      'FINDING_UID;CHECK_ID;STATUS;SEVERITY;PROWLER_VERSION\nprowler-1;check;PASS;high;5.4.0\n',
      { prowler: '5.4.0' },
    ],
    [
      'qualys',
      '<SCAN><HEADER><KEY value="SCAN_HOST">192.0.2.1 (Scanner 12.1.0-1, Vulnerability Signatures 2.5.1-2)</KEY></HEADER></SCAN>',
      { qualys: '12.1.0-1' },
    ],
    [
      'qualys',
      'Scan,"192.0.2.1 (Scanner 12.11.33-1, Vulnerability Signatures 2.5.571-2)",x\nIP,QID,Severity\n192.0.2.8,7,3\n',
      { qualys: '12.11.33-1' },
    ],
    ['bandit', { results: [], errors: [], generated_at: 'x', metrics: {} }, {}],
  ];
  for (const [format, content, versions] of cases)
    assert.deepEqual(Object.fromEntries((await readAll(content, { format })).versions), versions, format);
});

/** Formats whose output without results is an empty list or file, which many tools write. */
const unnamedWhenEmpty = ['generic', 'github', 'gitleaks', 'hadolint', 'inspector', 'nuclei', 'ocsf', 'trufflehog'];

test('the output of a tool without results is recognised, and has no findings', async () => {
  const without = formats.filter(({ name }) => !emptyResults.some(([format]) => format === name));
  assert.deepEqual(
    without.map(({ name }) => name).sort(),
    [...unnamedWhenEmpty].sort(),
    'add the output without results of each format to emptyResults',
  );
  for (const [format, content] of emptyResults) {
    const file = await readAll(content);
    assert.deepEqual([file.format.name, file.all], [format, []], content);
  }
  // These forms are not specific to a tool: pages of REST APIs and of Resource Graph.
  for (const content of ['{"value":[]}', '{"value":[],"nextLink":null}', '{"totalRecords":0,"data":[]}', '[]'])
    assert.deepEqual((await readAll(content, { format: 'defender' })).all, [], content);
  await assert.rejects(readAll('[]'), /holds no results, as many tools write it.*name it with “format”/);
});

test('a file has the same results compressed, in UTF-16, with a byte order mark, and in pieces of any size', async () => {
  for (const [format, content] of samples) {
    const { all } = await readAll(content);
    const utf16 = Buffer.from(content, 'utf16le');
    const forms = [
      gzipSync(content),
      Buffer.from(`\uFEFF${content}`),
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
      utf16,
      gzipSync(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])),
    ];
    for (const form of forms) assert.deepEqual((await readAll(form)).all, all, format);
    for (const chunkSize of [1, 64]) assert.deepEqual((await readAll(content, { chunkSize })).all, all, format);
  }
});

test('every detection has one of the five severities', async () => {
  for (const [format, content] of samples) {
    const { all } = await readAll(content);
    for (const { title, severity } of all) {
      const problem = `the reader of ${format} gives “${title}” the severity ${severity}: return what severityOf of severity-words.ts returns`;
      assert.ok(severities.includes(severity), problem);
    }
  }
});

test('every word that a reader looks up as a severity is known', async () => {
  const unknown = new Set<string>();
  let format = '';
  const note = (word: unknown) => unknown.add(`${format}: ${word}`);
  unknownSeverityWords.subscribe(note);
  try {
    for (const [name, content] of samples) {
      format = name;
      await readAll(content);
    }
  } finally {
    unknownSeverityWords.unsubscribe(note);
  }
  const remedy = 'Add these words to severity-words.ts, or let the reader map them before it looks them up.';
  assert.deepEqual([...unknown], [], remedy);
});

test('no secret in a file gets into a detection', async () => {
  for (const [format, content] of samples) {
    const { all } = await readAll(content);
    assert.ok(!JSON.stringify(all).includes(sampleSecret), format);
  }
});

test('every detection has a title, a rule, a location and a unique fingerprint', async () => {
  for (const [format, content] of samples) {
    const { all } = await readAll(content);
    assert.equal(new Set(all.map((one) => one.source + one.fingerprint)).size, all.length, format);
    for (const one of all) {
      assert.ok(one.title && one.description && one.rule.id && one.rule.name, format);
      assert.match(one.fingerprint, /^v[12]:[\w-]{22}$/);
      assert.match(one.source, /^[a-z0-9-]{1,60}$/);
      assert.ok(one.places.length >= 1 && one.occurrences >= one.places.length, format);
    }
  }
});

test('no title is only the id of a rule if the file says more', async () => {
  for (const [format, content] of samples) {
    for (const { title, rule, description } of (await readAll(content)).all) {
      assert.ok(
        !isOnlyId(title) || [rule.name, description].every((text) => text === title || isOnlyId(text)),
        `${format}: ${title}`,
      );
    }
  }
});

/** Several documents in one file. */
const linesOfJson = new Set(['govulncheck', 'trufflehog', 'nuclei', 'ocsf']);

/** A file is either read to the end or refused with a sentence and, once the format is known, a position. */
async function readsOrRefuses(content: Buffer, format: string): Promise<void> {
  try {
    await readAll(content, { format });
  } catch (error) {
    assert.ok(error instanceof FormatError, `${format}: ${(error as Error).stack}`);
    assert.ok(error.place.line !== undefined || error.place.path !== undefined, `${format}: ${error.message}`);
    assert.ok(!error.message.includes(sampleSecret), format);
  }
}

test('a file truncated anywhere is refused with the position, or read up to its last complete line', async () => {
  for (const [format, content] of samples) {
    const bytes = Buffer.from(content);
    for (let end = 0; end < bytes.length; end += Math.ceil(bytes.length / 40))
      await readsOrRefuses(bytes.subarray(0, end), format);
  }
});

test('a file damaged anywhere is refused with the position, or read', async () => {
  const damage = fc.record({
    sample: fc.constantFrom(...samples),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    length: fc.integer({ min: 0, max: 40 }),
    insert: fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        ',',
        ':',
        '<',
        '>',
        '&',
        'null',
        '-1',
        '1e999',
        '{}',
        '[]',
        '""',
        '\\',
        '\0',
        '\n',
      ),
      fc.string({ maxLength: 10 }),
    ),
  });
  await checkProperty(
    fc.asyncProperty(damage, async ({ sample: [format, content], at, length, insert }) => {
      const bytes = Buffer.from(content);
      const start = Math.floor(at * bytes.length);
      await readsOrRefuses(
        Buffer.concat([bytes.subarray(0, start), Buffer.from(insert), bytes.subarray(start + length)]),
        format,
      );
    }),
    { numRuns: 1_500 },
  );
});

test('a value of another type anywhere in a file is refused with the position, or skipped', async () => {
  const json = samples.filter(([format, content]) => /^[[{]/.test(content) && !linesOfJson.has(format));
  const values = fc.constantFrom<unknown>(null, 0, -1, true, '', 'text', [], {}, [null], [[]], { id: {} }, 1e21);
  await checkProperty(
    fc.asyncProperty(fc.constantFrom(...json), fc.nat(), values, async ([format, content], which, value) => {
      const document: unknown = JSON.parse(content);
      const places: Array<() => void> = [];
      collectPlaces(document, value, places);
      places[which % places.length]!();
      await readsOrRefuses(Buffer.from(JSON.stringify(document)), format);
    }),
    { numRuns: 1_500 },
  );
});

function collectPlaces(node: unknown, value: unknown, places: Array<() => void>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, child] of Object.entries(node)) {
    places.push(() => {
      (node as Record<string, unknown>)[key] = value;
    });
    collectPlaces(child, value, places);
  }
}

test('a file declared as another format is refused, not treated as one without results', async () => {
  for (const [format, content] of samples) {
    for (const { name } of formats.filter((other) => other.name !== format)) {
      const problem = `the reader of ${name} accepts a file of ${format}: let it require a member of its own (requireRootMember)`;
      await assert.rejects(readAll(content, { format: name }), FormatError, problem);
    }
  }
});

/** Samples without a list of two results: their results are members of objects, or there is one of each kind. */
const withoutLists = new Set(['brakeman', 'cargo-audit', 'checkov', 'mobsf', 'scoutsuite']);

test('a file with its results in another order has the same detections', async () => {
  for (const [format, content] of samples) {
    if (!/^[[{]/.test(content) || linesOfJson.has(format)) continue;
    const { all } = await readAll(content);
    const given = JSON.parse(content);
    const reversed = withReversedLists(given);
    if (all.length > 1 && !withoutLists.has(format))
      assert.notDeepEqual(reversed, given, `the sample of ${format} has no list of two results`);
    assert.deepEqual(sorted((await readAll(reversed as object, { format })).all), sorted(all), format);
  }
});

/** Returns a value with its lists of objects reversed, except SARIF's locations, of which the first is the main one. */
function withReversedLists(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withReversedLists(item));
    return name !== 'locations' && items.every(isObject) ? items.reverse() : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withReversedLists(item, key)]));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
