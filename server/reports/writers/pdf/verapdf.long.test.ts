import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bytesOf, reportOf } from '../../report.fixture.ts';
import { defaultDocument, type ReportTemplate, reportTemplates } from '../../report-document.ts';
import { findingsOfRules, reportFindings } from '../../report-finding.fixture.ts';
import { writePdf } from '../pdf.ts';
import { checkAccessibility } from './verapdf.fixture.ts';

const folder = await mkdtemp(join(tmpdir(), 'assay-verapdf-'));
after(() => rm(folder, { recursive: true, force: true }));

const foreword = '## Why\n\nA *list*:\n\n1. one\n   - two\n\n> said\n\n```\ncode\n```';
const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30"/></svg>';

async function write(template: ReportTemplate): Promise<string> {
  const path = join(folder, `${template}.pdf`);
  const language = template === 'audit' ? 'de' : 'en';
  const report = reportOf(reportFindings(12), { template, document: { ...defaultDocument, language, foreword } });
  const settings = { baseUrl: 'https://assay.example.com', brandingFolder: folder };
  await writeFile(path, await bytesOf(writePdf(report, settings)));
  return path;
}

test('by veraPDF, the PDF of every template conforms to PDF/UA-1, with logo, own sections and links', async () => {
  await writeFile(join(folder, 'logo.svg'), logo);
  const paths: string[] = [];
  for (const template of reportTemplates) paths.push(await write(template));
  // Tables that are divided by page.
  const long = join(folder, 'long.pdf');
  await writeFile(long, await bytesOf(writePdf(reportOf(findingsOfRules(800), { template: 'audit' }))));
  paths.push(long);
  assert.deepEqual(await checkAccessibility(paths), paths.map((path) => `PASS ${path} ua1`).sort());
});
