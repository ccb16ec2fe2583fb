import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { bytesOf, reportOf } from '../../report.fixture.ts';
import { hostileTitles, reportFinding, reportFindings } from '../../report-finding.fixture.ts';
import { detailedFindings, type ReportFinding } from '../../report-model.ts';
import { writeDocx } from '../docx.ts';
import { findMistakes } from './open-xml-sdk.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-docx-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function assertValid(findings: ReportFinding[]): Promise<void> {
  const path = join(folder, 'report.docx');
  writeFileSync(path, await bytesOf(writeDocx(reportOf(findings, {}, detailedFindings))));
  assert.deepEqual((await findMistakes(path)).slice(0, 3), []);
}

/** Microsoft's validator checks each part against the Office schemas and further rules. */
describe('according to the Open XML SDK a report is valid', () => {
  for (const size of [0, 1, 200])
    test(`of ${size} findings`, async () => {
      await assertValid(reportFindings(size));
    });

  test('whatever the texts of a finding contain', async () => {
    await assertValid(hostileTitles.map((text, index) => reportFinding(index, everywhere(text))));
  });
});

test('an invalid document fails', async () => {
  const parts = unzipSync(await bytesOf(writeDocx(reportOf(reportFindings(1)))));
  const body = strFromU8(parts['word/document.xml']!);
  const path = join(folder, 'broken.docx');
  writeFileSync(path, zipSync({ ...parts, 'word/document.xml': strToU8(body.replace('<w:body>', '<w:body><w:r/>')) }));
  assert.notDeepEqual(await findMistakes(path), []);
});

/** Returns a finding with the same text in all its fields. */
function everywhere(text: string): Partial<ReportFinding> {
  const place = { path: text, start_line: 1, end_line: 2, commit: text };
  return {
    title: text,
    description: text,
    remediation: `1. ${text}\n\n   > ${text}`,
    evidence: text,
    identifiers: [text],
    references: [text, `https://example.com/${text}`],
    tags: [text, text],
    location: {
      ...place,
      start_column: 1,
      end_column: 2,
      url: `https://example.com/?q=${text}`,
      package: { ecosystem: text, name: text, version: text, fixed_version: text, purl: text },
    },
    rule: { id: text, name: text, url: `https://example.com/#${text}`, tags: [] },
    places: [place, place],
    data_source: { id: 'ds_1', name: text, kind: text as 'upload' },
    occurrences: 1_000,
    assignee: { id: 'usr_1', name: text, email: text },
    comments: [{ author: text, created_at: '2026-11-01T00:00:00Z', comment: text }],
  };
}
