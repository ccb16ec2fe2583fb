import type { Report, ReportDocumentControl, ReportExportParams, ReportTemplate } from '@assay/client';

export type ReportFormat = ReportExportParams['format'];
/** A file of a report: its format, and for documents the language and the standard. */
export type Wanted = Pick<ReportExportParams, 'format' | 'language' | 'standard'>;

export const reportStatusNames: Record<Report['status'], string> = {
  pending: 'In progress',
  ready: 'Ready',
  failed: 'Failed',
};

export const templateNames: Record<ReportTemplate, string> = {
  executive: 'Executive: six pages for decisions',
  audit: 'Audit: a card for each problem, register, coverage',
  technical: 'Technical: every finding in detail',
};

export const stateNames: Record<Report['state'], string> = { draft: 'Draft', reviewed: 'Reviewed', final: 'Final' };

export const languageNames: Record<ReportDocumentControl['language'], string> = { en: 'English', de: 'German' };
export const paperNames: Record<ReportDocumentControl['paper'], string> = { a4: 'A4', letter: 'US Letter' };

export const formatNames: Record<ReportFormat, string> = {
  pdf: 'PDF',
  docx: 'Word (DOCX)',
  csv: 'CSV',
  xlsx: 'Excel (XLSX)',
  json: 'JSON',
  sarif: 'SARIF',
  'sarif-github': 'SARIF for GitHub',
  ocsf: 'OCSF',
};

/** Formats whose files are in a language. */
export const documentFormats: readonly ReportFormat[] = ['pdf', 'docx'];

export const formats = Object.keys(formatNames) as ReportFormat[];

/** Describes the remaining time for a file, by the server's estimate. */
export function timeLeft(seconds: number): string {
  if (seconds < 1) return 'This is taking longer than usual.';
  if (seconds < 90) return `About ${seconds} ${seconds === 1 ? 'second' : 'seconds'} left.`;
  return `About ${Math.round(seconds / 60)} minutes left.`;
}
