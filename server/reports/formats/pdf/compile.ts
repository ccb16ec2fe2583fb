import { join } from 'node:path';
import { NodeCompiler, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import { fontFolder } from '../../fonts.ts';

/**
 * Sets a document by the template. All of `data` is read as JSON, never as Typst. Throws what the template's errors say.
 */
export function compile(data: object, takenAt: Date): Buffer {
  const folder = import.meta.dirname;
  const compiler = NodeCompiler.create({ workspace: folder, fontArgs: [{ fontPaths: [fontFolder] }] });
  compiler.mapShadow(join(folder, 'report.json'), Buffer.from(JSON.stringify(data)));
  const compiled = compiler.compile({ mainFilePath: join(folder, 'report.typ') });
  if (!compiled.result)
    throw new Error(
      `The report's template does not compile: ${JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics)}`,
    );
  return write(compiler, compiled.result, Math.floor(takenAt.getTime() / 1000));
}

/**
 * PDF/UA-1 is checked while it is written. Should a text defeat it (marks of one script on letters of another have no
 * glyph in any font), the document comes without the standard's mark, still tagged: better than none.
 */
function write(compiler: NodeCompiler, document: NodeTypstDocument, creationTimestamp: number): Buffer {
  try {
    return compiler.pdf(document, { pdfStandard: 'ua-1', creationTimestamp });
  } catch {
    return compiler.pdf(document, { pdfStandard: '1.7', creationTimestamp });
  }
}
