import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import initialize, { TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler';
import { fontFiles } from '../../fonts.ts';
import { TemplateError } from './template-error.ts';
import type { TemplateFiles } from './template-files.ts';

/** Returns the errors of the template as text, one per line: `report.typ:3:1: error: …`. */
const textDiagnostics = 2;

/**
 * Compiles the template with the WebAssembly build of Typst, which runs everywhere. It can't check PDF/UA-1, so the
 * document is tagged but does not carry the standard's mark; otherwise it equals that of the native build, byte for
 * byte. Throws on the template's errors.
 */
export async function compileWasm(data: object, takenAt: Date, files: TemplateFiles = new Map()): Promise<Buffer> {
  const program = fileURLToPath(import.meta.resolve('@myriaddreamin/typst-ts-web-compiler/wasm'));
  await initialize({ module_or_path: readFileSync(program) });
  const builder = new TypstCompilerBuilder();
  for (const file of fontFiles()) await builder.add_raw_font(readFileSync(file));
  const compiler = await builder.build();
  const folder = import.meta.dirname;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.typ')))
    compiler.map_shadow(`/${name}`, readFileSync(join(folder, name)));
  for (const [name, content] of files) compiler.map_shadow(`/${name}`, Buffer.from(content));
  compiler.map_shadow('/report.json', Buffer.from(JSON.stringify(data)));
  const { result, diagnostics } = atTime(takenAt, () =>
    compiler.compile('/report.typ', null, 'pdf', textDiagnostics),
  ) as { result?: Uint8Array; diagnostics?: string[] };
  if (!result) throw templateError(diagnostics ?? []);
  return Buffer.from(result.buffer, result.byteOffset, result.byteLength);
}

function templateError(diagnostics: string[]): TemplateError {
  const [first = ''] = diagnostics.filter((line) => line.includes('error: '));
  const [, file = 'report.typ', line, problem = first] =
    /^\/?([^:]+):(\d+):\d+(?:-[\d:]+)?: error: ([\s\S]*)$/.exec(first) ?? [];
  return new TemplateError(file, line === undefined ? null : Number(line), problem || 'Typst names no reason');
}

/**
 * Runs `work`, which must be synchronous, with the clock stopped, because this build takes the creation time only from
 * the clock.
 */
function atTime<T>(time: Date, work: () => T): T {
  const now = Date.now;
  Date.now = () => Math.floor(time.getTime() / 1000) * 1000;
  try {
    return work();
  } finally {
    Date.now = now;
  }
}
