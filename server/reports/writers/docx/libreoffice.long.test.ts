import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { formatNumber } from '../../labels.ts';
import { bySeverityStatusAndAge, bytesOf, reportOf } from '../../report.fixture.ts';
import { reportFindings } from '../../report-finding.fixture.ts';
import { writeDocx } from '../docx.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-docx-'));

/** Returns the text of the document's pages, as LibreOffice lays them out. */
function pagesOf(name: string, file: Uint8Array): string[] {
  writeFileSync(join(folder, `${name}.docx`), file);
  // With a separate profile, it does not pass the work to another running LibreOffice.
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
  const args = [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, join(folder, `${name}.docx`)];
  const converted = spawnSync('soffice', args, { encoding: 'utf8', timeout: 600_000 });
  assert.equal(converted.status, 0, converted.stderr);
  const read = spawnSync('pdftotext', ['-layout', join(folder, `${name}.pdf`), '-'], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  assert.equal(read.status, 0, read.stderr);
  return read.stdout.split('\f').slice(0, -1);
}

describe('LibreOffice opens a report', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const size of [0, 1, 200])
    test(`of ${size} findings, and lays out all of them in order, on numbered pages`, async () => {
      const report = reportOf(reportFindings(size));
      const ordered = reportFindings(size).sort(bySeverityStatusAndAge);
      const pages = pagesOf(String(size), await bytesOf(writeDocx(report)));
      const text = pages.join('\n');
      const details = text.slice(text.lastIndexOf('\nFindings\n'));
      const found = ordered.map(({ number }) => details.search(new RegExp(` ${number}$`, 'm')));
      // A row for several findings has the number of the first: `F-98 +1`.
      const places = found.filter((at) => at !== -1);
      assert.ok(found.length - places.length <= size / 100, 'a finding is missing');
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
      for (const [index, page] of pages.entries())
        if (index > 0) assert.ok(page.includes(`Page ${index + 1} of ${pages.length}`));
      const total = formatNumber(report.head.summary.total);
      if (size > 0) assert.match(text, new RegExp(`^ *Total .* ${total}$`, 'm'));
      // The title breaks where the machine's fonts make it too wide.
      assert.ok(pages[0]!.replace(/\s+/g, ' ').includes(report.head.title));
    });
});
