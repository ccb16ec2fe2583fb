import type { ReportFinding } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { compile } from './pdf/compile.ts';
import { documentOf } from './pdf/document.ts';

/** Writes the report as a tagged PDF, typeset by Typst: all of it is in memory at once, so the findings are bounded. */
export const writePdf: ReportWriter = async function* ({ head, findings }, { pdfCompiler } = {}) {
  const told: ReportFinding[] = [];
  for await (const batch of findings) told.push(...batch);
  yield await compile(documentOf(head, told), new Date(head.taken_at), pdfCompiler);
};
