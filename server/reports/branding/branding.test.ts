import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Resvg } from '@resvg/resvg-js';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { writeDocx } from '../formats/docx.ts';
import type { PdfCompiler } from '../formats/format.ts';
import { writePdf } from '../formats/pdf.ts';
import { bytesOf, reportOf } from '../report.fixture.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { readBranding } from './branding.ts';
import { readLogo } from './logo.ts';

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
const pdf = (brandingFolder: string, pdfCompiler: PdfCompiler = 'native') =>
  bytesOf(writePdf(report(), { brandingFolder, pdfCompiler }));
const svg = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="80">${inner}</svg>`;
const square = svg('<rect width="300" height="80" fill="#c00"/>');

test('a logo as PNG or SVG is on the cover of PDF and DOCX, with its alternative text, and the PDF stays PDF/UA-1', async () => {
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

test('a logo that refers to a file, runs, or is not a picture is refused by name', async () => {
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

test('a Typst file replaces the one of its name, in both builds, and gets the report as data', async () => {
  const own =
    '#import "theme.typ": report\n#import "more.typ": line\n#set document(title: report.title)\n= #line(report)';
  const folder = await folderOf({ 'report.typ': own, 'more.typ': '#let line(report) = report.footer' });
  for (const compiler of ['native', 'wasm'] as const) {
    const file = await pdf(folder, compiler);
    assert.ok(file.includes('Example Industries: Findings of the third quarter') && file.length < 20_000, compiler);
  }
});

test('an error in a Typst file is reported with the file and the line, also where it breaks one of ours', async () => {
  for (const compiler of ['native', 'wasm'] as const) {
    const wrong = await folderOf({ 'cover.typ': '#let contents() = []\n#let cover(data) = [\n  #logotype\n]' });
    await assert.rejects(pdf(wrong, compiler), {
      name: 'BrandingError',
      message: /error: cover\.typ can't be typeset: unknown variable: logotype.* in line 3\. The operator/s,
    });
    const incomplete = await folderOf({ 'cover.typ': '#let cover(data) = []' });
    await assert.rejects(
      pdf(incomplete, compiler),
      /cover\.typ can't be typeset with the other files: unresolved import.* \(report\.typ in line \d+\)\. The/s,
    );
  }
});

test('a Typst file reads nothing outside the template, loads no packages, and its errors name the file', async () => {
  for (const path of ['/etc/hostname', '../../../../package.json', '../../fonts.ts', '../docx.ts'])
    for (const compiler of ['native', 'wasm'] as const) {
      const folder = await folderOf({ 'cover.typ': `#let contents() = []\n#let cover(data) = [#read("${path}")]` });
      await assert.rejects(
        pdf(folder, compiler),
        /: cover\.typ can't be typeset: .*(file not found|access denied|outside|failed).* in line 2\. The operator/s,
        `${compiler} ${path}`,
      );
    }
  const packages = await folderOf({ 'cover.typ': '#import "@preview/cetz:0.3.0"' });
  await assert.rejects(pdf(packages), /ASSAY_REPORT_BRANDING has an error: cover\.typ must not import packages/);
  const linked = await folderOf({});
  await symlink('/etc/hostname', join(linked, 'secret.typ'));
  assert.deepEqual([...(await readBranding(linked, 'pdf')).typst.keys()], []);
  await assert.rejects(readBranding(join(linked, 'nothing'), 'pdf'), /can't be read \(ENOENT\)/);
});

test('the styles of a Word document replace those of the same id, without lists and other parts', async () => {
  const style =
    '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr><w:rPr><w:color w:val="123456"/></w:rPr></w:style>';
  const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${style}</w:styles>`;
  const file = zipSync({ 'word/styles.xml': strToU8(styles), 'word/vbaProject.bin': strToU8('no') });
  const folder = await folderOf({ 'report.docx': file });
  const parts = unzipSync(await bytesOf(writeDocx(report(), { brandingFolder: folder })));
  const own = strFromU8(parts['word/styles.xml']!);
  assert.ok(own.includes(style.replace(/<w:numPr>.*<\/w:numPr>/, '')) && own.includes('w:styleId="Heading1"'));
  assert.equal(parts['word/vbaProject.bin'], undefined);
  const broken = await folderOf({ 'report.docx': 'text' });
  await assert.rejects(readBranding(broken, 'docx'), /report\.docx is not a Word document/);
  assert.equal((await readBranding(broken, 'pdf')).wordStyles.size, 0);
});
