import { invalidArgument } from './errors.ts';

/** Returns the file name of a Content-Disposition header without folders; null if it has none. */
function readFilename(header: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  const quoted = /filename="((?:[^"\\]|\\.)*)"/i.exec(header ?? '')?.[1]?.replace(/\\(.)/g, '$1');
  let name = quoted ?? /filename=([^;"\s]+)/i.exec(header ?? '')?.[1];
  try {
    if (encoded) name = decodeURIComponent(encoded);
  } catch {
    // The name is invalid in its declared encoding: use the plain name.
  }
  const last = name?.split(/[/\\]/).at(-1) ?? '';
  return ['', '.', '..'].includes(last) ? null : last;
}

/** A file from the service, read as a stream and only once. An interrupted transfer is an error, never a short file. */
export class Content implements AsyncIterable<Uint8Array> {
  readonly contentType: string | null;
  /** The file name that the service sends. */
  readonly filename: string | null;
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #begun = false;

  constructor(headers: Headers, chunks: AsyncGenerator<Uint8Array>) {
    this.contentType = headers.get('content-type');
    this.filename = readFilename(headers.get('content-disposition'));
    this.#chunks = chunks;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    if (this.#begun) throw invalidArgument('This content was read before. Export it again.');
    this.#begun = true;
    return this.#chunks;
  }

  stream(): ReadableStream<Uint8Array> {
    const iterator = this[Symbol.asyncIterator]();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return(undefined);
      },
    });
  }

  /** Read here and not through a Response, which hides the cause of a failed stream in Chromium. */
  async blob(): Promise<Blob> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this) chunks.push(chunk);
    return new Blob(chunks as BlobPart[], { type: this.contentType ?? '' });
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await (await this.blob()).arrayBuffer());
  }

  async text(): Promise<string> {
    return (await this.blob()).text();
  }

  /** Writes a file (Node.js, Deno, Bun), completely or not at all. */
  async saveTo(path: string): Promise<void> {
    // Named so that bundlers for browsers don't look for it.
    const module = 'node:fs/promises';
    const { open, rename, rm } = await import(/* @vite-ignore */ /* webpackIgnore: true */ module);
    const partial = `${path}.part`;
    const file = await open(partial, 'w');
    try {
      for await (const chunk of this) await file.writeFile(chunk);
      await file.close();
      await rename(partial, path);
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(partial, { force: true });
      throw error;
    }
  }

  /** Closes the connection without reading the rest. */
  async cancel(): Promise<void> {
    await this.#chunks.return(undefined);
  }
}
