import { join } from 'node:path';
import { NodeCompiler, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import { fontFolder } from '../../fonts.ts';
import type { PdfStandard } from '../format.ts';

type Written = PdfStandard | '1.7';

/** Typesets a document with the template. `data` is read as JSON, never as Typst; `logo` is a PNG. */
export function compile(
  data: object,
  takenAt: Date,
  { standard = 'ua-1', logo = null }: { standard?: Written | undefined; logo?: Uint8Array | null } = {},
): Buffer {
  const folder = import.meta.dirname;
  const compiler = NodeCompiler.create({ workspace: folder, fontArgs: [{ fontPaths: [fontFolder] }] });
  if (logo) compiler.mapShadow(join(folder, 'logo.png'), Buffer.from(logo));
  compiler.mapShadow(join(folder, 'report.json'), Buffer.from(JSON.stringify(data)));
  const compiled = compiler.compile({ mainFilePath: join(folder, 'report.typ') });
  if (!compiled.result) {
    const diagnostics = compiled.takeDiagnostics();
    throw templateError((diagnostics ? compiler.fetchDiagnostics(diagnostics) : []) as Diagnostic[]);
  }
  return write(compiler, compiled.result, Math.floor(takenAt.getTime() / 1000), standard);
}

type Diagnostic = { severity: number; message: string; path: string; range: { start: { line: number } } | null };

function templateError(diagnostics: Diagnostic[]): Error {
  // The rest are warnings, and calls that led to the error.
  const first = diagnostics.find(({ severity }) => severity === 1);
  const place = first ? `${first.path}${first.range ? `, line ${first.range.start.line + 1}` : ''}: ` : '';
  return new Error(`The report's template does not compile: ${place}${first?.message ?? 'Typst names no reason'}`);
}

/**
 * Typst checks the standard while it writes. If a text violates it (marks of one script on letters of another have no
 * glyph in any font), the document is written without the standard's mark but still tagged, which is better than no
 * document.
 */
function write(
  compiler: NodeCompiler,
  document: NodeTypstDocument,
  creationTimestamp: number,
  standard: Written,
): Buffer {
  try {
    return compiler.pdf(document, { pdfStandard: standard, creationTimestamp });
  } catch (error) {
    if (standard === '1.7') throw error;
    return write(compiler, document, creationTimestamp, '1.7');
  }
}
