import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bytesOf, reportOf } from '../../report.fixture.ts';
import {
  defaultDocument,
  type ReportLanguage,
  type ReportTemplate,
  reportLanguages,
  reportTemplates,
} from '../../report-document.ts';
import { findingsOfRules, reportFindings } from '../../report-finding.fixture.ts';
import type { PdfStandard } from '../format.ts';
import { writePdf } from '../pdf.ts';
import { checkStandard } from './verapdf.fixture.ts';

const folder = await mkdtemp(join(tmpdir(), 'assay-verapdf-'));
after(() => rm(folder, { recursive: true, force: true }));

const foreword = '## Why\n\nA *list*:\n\n1. one\n   - two\n\n> said\n\n```\ncode\n```';
const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30"/></svg>';

async function write(template: ReportTemplate, language: ReportLanguage, standard: PdfStandard): Promise<string> {
  const path = join(folder, `${template}-${language}-${standard}.pdf`);
  const document = { ...defaultDocument, foreword, classification: 'TLP:AMBER+STRICT' };
  const report = reportOf(reportFindings(12), { template, document });
  const settings = { baseUrl: 'https://assay.example.com', brandingFolder: folder, language, standard };
  await writeFile(path, await bytesOf(writePdf(report, settings)));
  return path;
}

for (const [standard, flavour] of [
  ['ua-1', 'ua1'],
  ['a-2a', '2a'],
] as const)
  test(`veraPDF confirms that every template conforms to ${standard} in both languages, with logo, custom sections and links`, async () => {
    await writeFile(join(folder, 'logo.svg'), logo);
    const paths: string[] = [];
    for (const template of reportTemplates)
      for (const language of reportLanguages) paths.push(await write(template, language, standard));
    // Tables that are divided by page.
    const long = join(folder, `long-${standard}.pdf`);
    const report = reportOf(findingsOfRules(800), { template: 'audit' });
    await writeFile(long, await bytesOf(writePdf(report, { standard })));
    paths.push(long);
    assert.deepEqual(await checkStandard(paths, standard), paths.map((path) => `PASS ${path} ${flavour}`).sort());
  });
