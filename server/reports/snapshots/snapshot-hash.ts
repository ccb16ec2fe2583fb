import { createHash } from 'node:crypto';

/**
 * Computes the SHA-256 of a snapshot: of the JSON text of its head, then of the JSON text of each batch of findings,
 * each followed by a newline. The compression of batches makes no difference.
 */
export class SnapshotHash {
  readonly #hash = createHash('sha256');

  add(text: string | Uint8Array): void {
    this.#hash.update(text).update('\n');
  }

  digest = (): Buffer => this.#hash.digest();
}
