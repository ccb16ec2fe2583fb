import type { PdfCompiler } from '../format.ts';

/**
 * Typesets a document by the template, with the native build of Typst where this platform has one and with the
 * WebAssembly build otherwise, or with the one that is asked for. All of `data` is read as JSON, never as Typst.
 */
export async function compile(data: object, takenAt: Date, compiler: PdfCompiler | null = null): Promise<Buffer> {
  const native = compiler === 'wasm' ? null : await loadNative(compiler);
  if (native) return native.compileNative(data, takenAt);
  const { compileWasm } = await import('./compile-wasm.ts');
  return compileWasm(data, takenAt);
}

/** Returns null where the package has no binary that runs here: none for the platform, or too old a C library. */
async function loadNative(compiler: PdfCompiler | null) {
  try {
    return await import('./compile-native.ts');
  } catch (error) {
    if (compiler === 'native') throw error;
    return null;
  }
}
