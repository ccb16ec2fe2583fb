import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Resvg } from '@resvg/resvg-js';
import { strFromU8, unzipSync } from 'fflate';
import { bytesOf, reportOf } from '../report.fixture.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { writeDocx } from '../writers/docx.ts';
import { writePdf } from '../writers/pdf.ts';
import { findLogo, readLogo } from './branding.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** Writes the operator's folder. */
async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-branding-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

const report = () => reportOf(reportFindings(2, { hostile: false }), { template: 'executive' });
const pdf = (brandingFolder: string) => bytesOf(writePdf(report(), { brandingFolder }));
const svg = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="80">${inner}</svg>`;
const square = svg('<rect width="300" height="80" fill="#c00"/>');

test('a PNG or SVG logo is on the cover of PDF and DOCX, with its alternative text, and the PDF stays PDF/UA-1', async () => {
  const png = new Resvg(square).render().asPng();
  for (const [name, content] of [['logo.svg', square] as const, ['logo.png', new Uint8Array(png)] as const]) {
    const folder = await folderOf({ [name]: content });
    const parts = unzipSync(await bytesOf(writeDocx(report(), { brandingFolder: folder })));
    assert.ok(parts['word/media/logo.png']!.length > 100);
    assert.match(strFromU8(parts['word/document.xml']!), /descr="Logo of Example Industries"/);
    const marked = await pdf(folder);
    assert.ok(marked.includes('<pdfuaid:part>1<'));
    assert.ok(marked.length > (await pdf(await folderOf({}))).length);
  }
});

test('a logo that refers to a file, contains active content, or is not a picture is refused by name', async () => {
  for (const inner of [
    '<script>alert(1)</script>',
    '<image href="file:///etc/passwd"/>',
    '<image xlink:href="/etc/passwd" width="9" height="9"/>',
    '<foreignObject/>',
    '<rect onload="x()"/>',
    '<a href="https://example.com"><rect/></a>',
    '<rect fill="url(https://example.com/a)"/>',
    '<style>@import "x"</style>',
    '<rect',
  ])
    assert.throws(
      () => readLogo('logo.svg', Buffer.from(svg(inner))),
      /logo\.svg (must not contain|is not an SVG)/,
      inner,
    );
  const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('&a;')}`;
  assert.throws(() => readLogo('logo.svg', Buffer.from(bomb)), /a document type/);
  assert.throws(() => readLogo('logo.png', Buffer.from('GIF89a')), /is not a PNG/);
  const huge = new Resvg(square).render().asPng();
  huge.writeUInt32BE(100_000, 16);
  assert.throws(() => readLogo('logo.png', huge), /must be 1 to 4000 pixels/);
  const safe = svg('<defs><linearGradient id="a"/></defs><rect width="9" height="9" fill="url(#a)"/>');
  assert.equal(readLogo('logo.svg', Buffer.from(safe)).height, 240);
});

test('a link is followed only within the folder, and a missing folder or logo means no logo', async () => {
  const mounted = await folderOf({ 'data.svg': square });
  await symlink(join(mounted, 'data.svg'), join(mounted, 'logo.svg'));
  assert.equal((await findLogo(mounted))!.height, 240);
  const linked = await folderOf({});
  await symlink('/etc/hostname', join(linked, 'logo.png'));
  await assert.rejects(findLogo(linked), /"branding" .* has an error: logo\.png must not lead out of the folder/);
  assert.equal(await findLogo(await folderOf({ 'readme.txt': 'none' })), null);
  assert.equal(await findLogo(join(linked, 'nothing')), null);
  await assert.rejects(findLogo(await folderOf({ 'logo.png': Buffer.alloc(2_097_153) })), /at most 2 MiB/);
});
