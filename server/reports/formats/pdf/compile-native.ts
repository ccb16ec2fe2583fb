import { join, relative } from 'node:path';
import { NodeCompiler, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import { fontFolder } from '../../fonts.ts';

import { TemplateError } from './template-error.ts';
import type { TemplateFiles } from './template-files.ts';

export type PdfStandard = 'ua-1' | '1.7';

/** Compiles the template with the native build of Typst. Throws on the template's errors. */
export function compileNative(
  data: object,
  takenAt: Date,
  standard: PdfStandard = 'ua-1',
  files: TemplateFiles = new Map(),
): Buffer {
  const folder = import.meta.dirname;
  const compiler = NodeCompiler.create({ workspace: folder, fontArgs: [{ fontPaths: [fontFolder] }] });
  for (const [name, content] of files) compiler.mapShadow(join(folder, name), Buffer.from(content));
  compiler.mapShadow(join(folder, 'report.json'), Buffer.from(JSON.stringify(data)));
  const compiled = compiler.compile({ mainFilePath: join(folder, 'report.typ') });
  if (!compiled.result) {
    const diagnostics = compiled.takeDiagnostics();
    throw templateError((diagnostics ? compiler.fetchDiagnostics(diagnostics) : []) as Diagnostic[], folder);
  }
  return write(compiler, compiled.result, Math.floor(takenAt.getTime() / 1000), standard);
}

type Diagnostic = { severity: number; message: string; path: string; range: { start: { line: number } } | null };
/** The severity of errors; others are warnings, and calls that led to the error. */
const isError = ({ severity }: Diagnostic) => severity === 1;

function templateError(diagnostics: Diagnostic[], folder: string): TemplateError {
  const first = diagnostics.find(isError);
  if (!first) return new TemplateError('report.typ', null, 'Typst names no reason');
  const line = first.range ? first.range.start.line + 1 : null;
  return new TemplateError(relative(folder, first.path), line, first.message.replaceAll(`${folder}/`, ''));
}

/**
 * Typst checks PDF/UA-1 while it writes. If a text violates it (marks of one script on letters of another have no glyph
 * in any font), the document is written without the standard's mark but still tagged, which is better than no document.
 */
function write(
  compiler: NodeCompiler,
  document: NodeTypstDocument,
  creationTimestamp: number,
  standard: PdfStandard,
): Buffer {
  try {
    return compiler.pdf(document, { pdfStandard: standard, creationTimestamp });
  } catch (error) {
    if (standard === '1.7') throw error;
    return write(compiler, document, creationTimestamp, '1.7');
  }
}
