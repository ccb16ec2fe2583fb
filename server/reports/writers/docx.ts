import { findLogo } from '../branding/branding.ts';
import { rasterize } from '../charts/raster.ts';
import { allBlocks, type DocumentContent } from '../document/blocks.ts';
import { documentOf, readDetailed } from '../document/document.ts';
import { fontFiles } from '../fonts.ts';
import { inLanguage } from '../report-model.ts';
import { wordingIn } from '../sentences/wording.ts';
import { blockXml } from './docx/blocks.ts';
import { contents } from './docx/contents.ts';
import { cover, logoName } from './docx/cover.ts';
import { chartName } from './docx/figures.ts';
import { makeFrame } from './docx/frame.ts';
import { References } from './docx/references.ts';
import type { Xml } from './docx/xml.ts';
import { type PackageFile, zipped } from './docx/zip.ts';
import type { ReportWriter } from './format.ts';

/** Pixels per unit of a chart, enough to be sharp in print. */
const scale = 2;

/** Writes the report as a Word document (Office Open XML). */
export const writeDocx: ReportWriter = async function* (
  { head, findings },
  { baseUrl, brandingFolder, language } = {},
) {
  const logo = await findLogo(brandingFolder);
  const content = documentOf(inLanguage(head, language), await readDetailed(findings), { baseUrl, logo });
  yield* zipped(packageFiles(content));
};

async function* packageFiles(content: DocumentContent): AsyncGenerator<PackageFile> {
  const { parts, before, after } = await makeFrame(content);
  const references = new References(content.accent, wordingIn(content.language));
  const relationships = 'word/_rels/document.xml.rels';
  yield { path: '[Content_Types].xml', content: parts.get('[Content_Types].xml')! };
  for (const [path, part] of parts)
    if (path !== '[Content_Types].xml' && path !== relationships) yield { path, content: part };
  if (content.logo) yield { path: `word/media/${logoName}`, content: content.logo.png };
  for (const block of allBlocks(content.blocks))
    if (block.kind === 'charts')
      for (const chart of block.charts)
        yield { path: `word/media/${chartName(chart)}`, content: rasterize(chart, scale, fontFiles()) };
  yield { path: 'word/document.xml', content: documentXml(content, references, before, after) };
  // Written last, because the body adds relationships.
  const rest = `${references.relationships()}</Relationships>`;
  yield { path: relationships, content: parts.get(relationships)!.replace('</Relationships>', () => rest) };
}

async function* documentXml(
  content: DocumentContent,
  references: References,
  before: Xml,
  after: Xml,
): AsyncGenerator<Xml> {
  yield before + cover(content, references) + contents(content, references);
  for (const block of content.blocks) yield blockXml(block, references);
  yield after;
}
