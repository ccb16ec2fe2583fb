import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { bytesOf, reportOf } from '../report.fixture.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import type { ReportFinding } from '../report-model.ts';
import { writeOcsf } from './ocsf.ts';
import { pythonWith, runPython } from './python.fixture.ts';

const python = await pythonWith('py-ocsf-models==0.10.0');
const validate = await readFile(new URL('./validate-ocsf.fixture.py', import.meta.url), 'utf8');

const write = async (findings: ReportFinding[]) => (await bytesOf(writeOcsf(reportOf(findings)))).toString();

/** Attributes that py-ocsf-models (OCSF 1.5) does not have: they are newer, or omitted there. */
const unknownToModels = [
  'assignee', // profile incident
  'evidences[].file', // omitted, according to its source
  'finding_info.analytic.category',
  'notes', // since 1.9
  'verdict', // profile incident
  'verdict_id',
  'vulnerabilities[].advisory', // omitted
  'vulnerabilities[].affected_code', // omitted
  'vulnerabilities[].is_fix_available',
];

for (const count of [0, 1, 200, 3_000]) {
  test(`py-ocsf-models reads each of ${count} findings as an event of its class`, async () => {
    const text = await write(reportFindings(count));
    const { events, unknown, problems } = JSON.parse(await runPython(python, validate, text));
    assert.deepEqual(problems, []);
    assert.equal(events, count);
    assert.deepEqual(
      unknown.filter((path: string) => !unknownToModels.includes(path)),
      [],
    );
    assert.equal(text, await write(reportFindings(count)));
  });
}
