import type { ReportFinding } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { compile } from './pdf/compile.ts';
import { documentOf } from './pdf/document.ts';

/** Writes the report as a tagged PDF with Typst. The document is in memory as a whole, so the findings are bounded. */
export const writePdf: ReportWriter = async function* ({ head, findings }, { pdfCompiler } = {}) {
  const detailed: ReportFinding[] = [];
  for await (const batch of findings) detailed.push(...batch);
  yield await compile(documentOf(head, detailed), new Date(head.taken_at), pdfCompiler);
};
