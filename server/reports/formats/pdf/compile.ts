import type { PdfCompiler } from '../format.ts';
import type { TemplateFiles } from './template-files.ts';

/**
 * Typesets a document with the template. It uses the given build of Typst, or else the native one where this platform
 * has it and the WebAssembly build elsewhere. `data` is read as JSON, never as Typst.
 */
export async function compile(
  data: object,
  takenAt: Date,
  compiler: PdfCompiler | null = null,
  files: TemplateFiles = new Map(),
): Promise<Buffer> {
  const native = compiler === 'wasm' ? null : await loadNative(compiler);
  if (native) return native.compileNative(data, takenAt, 'ua-1', files);
  const { compileWasm } = await import('./compile-wasm.ts');
  return compileWasm(data, takenAt, files);
}

/** Returns null where the package has no binary that runs: none for this platform, or the C library is too old. */
async function loadNative(compiler: PdfCompiler | null) {
  try {
    return await import('./compile-native.ts');
  } catch (error) {
    if (compiler === 'native') throw error;
    return null;
  }
}
