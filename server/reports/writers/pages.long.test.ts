import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bytesOf, reportOf } from '../report.fixture.ts';
import {
  defaultDocument,
  type ReportLanguage,
  type ReportTemplate,
  reportLanguages,
  reportTemplates,
} from '../report-document.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { wordingIn } from '../sentences/wording.ts';
import { reportFormats } from './index.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'assay-pages-'));
after(() => rm(folder, { recursive: true, force: true }));

type Word = { left: number; top: number; right: number; bottom: number; text: string };
type Page = { width: number; height: number; words: Word[] };

const numbersIn = (text: string): number[] => [...text.matchAll(/="([\d.]+)"/g)].map(([, value]) => Number(value));

/** Returns the words of each page with their boxes, in points from the top left. */
async function pagesOf(path: string): Promise<Page[]> {
  const { stdout } = await run('pdftotext', ['-bbox', path, '-'], { maxBuffer: 1 << 30 });
  return stdout
    .split('<page ')
    .slice(1)
    .map((page) => {
      const [width, height] = numbersIn(page.slice(0, page.indexOf('>')));
      const words = [...page.matchAll(/<word ([^>]+)>([^<]*)</g)].map(([, box, text]): Word => {
        const [left, top, right, bottom] = numbersIn(box!);
        return { left: left!, top: top!, right: right!, bottom: bottom!, text: text! };
      });
      return { width: width!, height: height!, words };
    });
}

async function write(format: 'pdf' | 'docx', template: ReportTemplate, language: ReportLanguage, count: number) {
  const { say } = wordingIn(language);
  const document = {
    ...defaultDocument,
    language,
    foreword: say('cover.all_findings'),
    conclusion: say('cover.version'),
  };
  const writeReport = await reportFormats[format].load();
  const report = reportOf(reportFindings(count, { hostile: false }), { template, document });
  const path = join(folder, `${template}-${language}-${count}.${format}`);
  await writeFile(path, await bytesOf(writeReport(report)));
  return path;
}

/** Returns the words between header and footer. */
const bodyOf = ({ height, words }: Page): Word[] => words.filter(({ top, bottom }) => top > 45 && bottom < height - 45);

/** A Word document uses other fonts on other machines: one of its pages in twenty may be nearly empty. */
function assertLaidOut(pages: Page[], name: string, maxSparse = 0): void {
  let sparse = 0;
  for (const [index, page] of pages.entries()) {
    const at = `${name}, page ${index + 1}`;
    for (const { left, right, text } of page.words)
      assert.ok(left >= 0 && right <= page.width, `${at}: ${text} is cut off`);
    // The cover, the contents and the last page may have any fill.
    if (index < 2 || index === pages.length - 1) continue;
    const words = bodyOf(page);
    const end = Math.max(...words.map(({ bottom }) => bottom));
    if (end <= page.height / 5) sparse++;
    assert.ok(sparse <= maxSparse, `${at} is four fifths empty`);
    const last = words.filter(({ bottom }) => bottom > end - 4);
    const isHeading = last.every(({ top, bottom }) => bottom - top > 20);
    assert.ok(
      !isHeading || end < page.height * 0.75,
      `${at} ends with a heading: ${last.map(({ text }) => text).join(' ')}`,
    );
  }
}

for (const template of reportTemplates)
  for (const language of reportLanguages)
    for (const count of [0, 40, 2_000])
      test(`pages are filled, no heading ends one and no word is cut off: ${template}, ${language}, ${count} findings`, async () => {
        const path = await write('pdf', template, language, count);
        const pages = await pagesOf(path);
        assertLaidOut(pages, path);
        assert.ok(pages.length >= 2 && (template !== 'executive' || pages.length <= 8));
        assert.ok(template !== 'audit' || pages.length <= 82);
      });

test('LibreOffice also fills the pages of Word documents', async () => {
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
  for (const template of reportTemplates) {
    const path = await write('docx', template, 'de', 40);
    await run('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, path], {
      timeout: 300_000,
    });
    const pages = await pagesOf(path.replace(/docx$/, 'pdf'));
    assertLaidOut(pages, path, Math.ceil(pages.length / 20));
  }
});
