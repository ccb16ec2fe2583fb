import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { ImportByNameParams, ImportParams } from '../params.ts';
import { Resource } from '../resource.ts';
import type { ImportPreview, Scan } from '../schema.ts';
import { createUpload, type UploadProgress, type UploadSource } from '../upload.ts';

export type UploadOptions = RequestOptions & { onProgress?: (progress: UploadProgress) => void };

/** Imports: results and SBOMs of other scanners. */
export class Imports extends Resource {
  /**
   * Uploads a result file to a data source as a stream and returns the scan that imports it, which `scans.wait` can
   * wait for. Only a Blob, bytes or a string can be retried; a stream is sent once.
   */
  upload(dataSourceId: string, file: UploadSource, params?: ImportParams, options: UploadOptions = {}): Call<Scan> {
    const upload = createUpload(file, options.onProgress);
    return this.call(
      { method: 'POST', path: ['data-sources', dataSourceId, 'imports'], query: params, upload },
      options,
    );
  }

  /** Uploads a result file and returns what its import would change. Nothing is written. */
  preview(
    dataSourceId: string,
    file: UploadSource,
    params?: ImportParams,
    options: UploadOptions = {},
  ): Call<ImportPreview> {
    const upload = createUpload(file, options.onProgress);
    const query = { ...params, dry_run: true };
    return this.call({ method: 'POST', path: ['data-sources', dataSourceId, 'imports'], query, upload }, options);
  }

  /**
   * Uploads a result file to the data source with a name and returns the scan that imports it. The first import creates
   * the data source, an upload.
   */
  uploadByName(file: UploadSource, params: ImportByNameParams, options: UploadOptions = {}): Call<Scan> {
    const upload = createUpload(file, options.onProgress);
    return this.call({ method: 'POST', path: ['imports'], query: params, upload }, options);
  }

  /** Uploads a result file and returns what its import by name would change. Nothing is written. */
  previewByName(file: UploadSource, params: ImportByNameParams, options: UploadOptions = {}): Call<ImportPreview> {
    const upload = createUpload(file, options.onProgress);
    return this.call({ method: 'POST', path: ['imports'], query: { ...params, dry_run: true }, upload }, options);
  }
}
