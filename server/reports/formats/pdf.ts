import { readBranding } from '../branding/branding.ts';
import { BrandingError } from '../branding/branding-error.ts';
import type { Block } from '../document/blocks.ts';
import { documentOf, readDetailed } from '../document/document.ts';
import type { ReportWriter } from './format.ts';
import { compactPdf } from './pdf/compact.ts';
import { compile } from './pdf/compile.ts';
import { type LinkTarget, linkedInside } from './pdf/links.ts';
import { templateData } from './pdf/template-data.ts';
import { TemplateError } from './pdf/template-error.ts';

/** Writes the report as a tagged PDF with Typst. The document is in memory as a whole, so the findings are bounded. */
export const writePdf: ReportWriter = async function* (
  { head, findings },
  { pdfCompiler, baseUrl, brandingFolder } = {},
) {
  const { logo, typst } = await readBranding(brandingFolder, 'pdf');
  const content = documentOf(head, await readDetailed(findings), { baseUrl, logo });
  const files = new Map([...typst, ...(logo ? ([['logo.png', logo.png]] as const) : [])]);
  const pdf = await compile(templateData(content), new Date(head.taken_at), pdfCompiler, files).catch((error) => {
    throw error instanceof TemplateError && typst.size > 0 ? inOwnTemplate(error, [...typst.keys()]) : error;
  });
  yield compactPdf(pdf, (objects) => linkedInside(objects, headingsOf(content.blocks)));
};

/** An operator's file may also break one of ours, which uses what the file no longer defines. */
function inOwnTemplate({ file, line, problem }: TemplateError, own: string[]): BrandingError {
  const place = line === null ? '' : ` in line ${line}`;
  return own.includes(file)
    ? new BrandingError(file, `can't be typeset: ${problem}${place}`)
    : new BrandingError(own.join(', '), `can't be typeset with the other files: ${problem} (${file}${place})`);
}

/** Returns all headings in the order of the document. */
const headingsOf = (blocks: Block[]): LinkTarget[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'heading') return [block];
    return block.kind === 'together' ? headingsOf(block.blocks) : [];
  });
