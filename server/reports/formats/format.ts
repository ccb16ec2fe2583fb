import type { TSchema } from 'typebox';
import type { ReportModel } from '../report-model.ts';

/**
 * Writes a report in one format: a pure function of the report, whose bytes come as they are ready. The same report
 * gives the same bytes. It runs in a process of its own, bounded in memory and time; what it throws fails the export.
 */
export type ReportWriter = (report: ReportModel, settings?: RenderSettings) => AsyncIterable<Uint8Array>;

/** The builds of Typst that a PDF can be made with. */
const pdfCompilers = ['native', 'wasm'] as const;
export type PdfCompiler = (typeof pdfCompilers)[number];

/** Settings of the operator that a writer needs; `pdfCompiler`: null for the native one where it runs. */
export type RenderSettings = { pdfCompiler?: PdfCompiler | null };

export type ReportFormat = {
  contentType: string;
  /** The file, for the API's description. */
  schema: TSchema;
  /** Of the file's name, without a dot. */
  extension: string;
  /** How many findings the writer wants at most; null for all of them. */
  findings: number | null;
  load(): Promise<ReportWriter>;
};
