import { findLogo } from '../branding/branding.ts';
import type { Block } from '../document/blocks.ts';
import { documentOf, readDetailed } from '../document/document.ts';
import { inLanguage } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { compactPdf } from './pdf/compact.ts';
import { compile } from './pdf/compile.ts';
import { type LinkTarget, linkedInside } from './pdf/links.ts';
import { templateData } from './pdf/template-data.ts';

/**
 * Writes the report as a tagged PDF with Typst. The whole document is in memory, so the number of findings is bounded.
 */
export const writePdf: ReportWriter = async function* (
  { head, findings },
  { baseUrl, brandingFolder, language, standard } = {},
) {
  const logo = await findLogo(brandingFolder);
  const content = documentOf(inLanguage(head, language), await readDetailed(findings), { baseUrl, logo });
  const pdf = compile(templateData(content), new Date(head.taken_at), { standard, logo: logo?.png ?? null });
  yield compactPdf(pdf, (objects) => linkedInside(objects, headingsOf(content.blocks)));
};

/** Returns all headings in the order of the document. */
const headingsOf = (blocks: Block[]): LinkTarget[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'heading') return [block];
    return block.kind === 'together' ? headingsOf(block.blocks) : [];
  });
