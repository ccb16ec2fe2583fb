import type { TSchema } from 'typebox';
import type { ReportLanguage } from '../report-document.ts';
import type { ReportModel } from '../report-model.ts';

/**
 * Writes a report in one format and yields its bytes as they are ready. It is a pure function: the same report gives
 * the same bytes. It runs in a separate process, bounded in memory and time; an exception fails the export.
 */
export type ReportWriter = (report: ReportModel, settings?: RenderSettings) => AsyncIterable<Uint8Array>;

/** The options of an export besides its format. */
export type ExportOptions = {
  /** The id of the only data source whose findings are written. */
  dataSource?: string;
  /** Whether a text file starts with a byte order mark. */
  bom?: boolean;
  /** The language of a document; by default the report's. */
  language?: ReportLanguage;
  /** The standard that a PDF conforms to. */
  standard?: PdfStandard;
  /** The revision of the report whose state a document shows; a draft by default. */
  revision?: number;
};

/**
 * Typst's package writes a file to one standard: PDF/UA-1 (the default), for accessibility, or PDF/A-2a, for archiving.
 */
export const pdfStandards = ['ua-1', 'a-2a'] as const;
export type PdfStandard = (typeof pdfStandards)[number];

/** The operator's settings that writers need, and the options of the export. */
export type RenderSettings = ExportOptions & {
  /** The URL of the console, for links to findings; null if unknown. */
  baseUrl?: string | null;
  /** The operator's folder with the logo of documents; null or missing for none. */
  brandingFolder?: string | null;
};

/** The content type of an archive of several files. */
export const archiveContentType = 'application/zip';

export type ReportFormat = {
  contentType: string;
  /** The schema of the file, for the API description. */
  schema: TSchema;
  /** The extension of the file name, without a dot. */
  extension: string;
  /** Whether the file may also be a zip archive of several such files. */
  mayBeArchive?: true;
  /** The options that the format has. */
  options?: ReadonlyArray<keyof ExportOptions>;
  /** Whether the file is a document: its template limits the findings that it shows. Other formats contain all. */
  isDocument?: true;
  load(): Promise<ReportWriter>;
};
