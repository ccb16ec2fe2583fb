import type { TSchema } from 'typebox';
import type { ReportModel } from '../report-model.ts';

/**
 * Writes a report in one format and yields its bytes as they are ready. It is a pure function: the same report gives
 * the same bytes. It runs in a process of its own, bounded in memory and time; an exception fails the export.
 */
export type ReportWriter = (report: ReportModel, settings?: RenderSettings) => AsyncIterable<Uint8Array>;

/** The builds of Typst that can make a PDF. */
const pdfCompilers = ['native', 'wasm'] as const;
export type PdfCompiler = (typeof pdfCompilers)[number];

/** Settings of the operator that writers need; `pdfCompiler` is null for the native build where it runs. */
export type RenderSettings = { pdfCompiler?: PdfCompiler | null };

export type ReportFormat = {
  contentType: string;
  /** The schema of the file, for the API description. */
  schema: TSchema;
  /** The extension of the file name, without a dot. */
  extension: string;
  /** The maximum number of findings that the writer needs; null for all. */
  findings: number | null;
  load(): Promise<ReportWriter>;
};
