import { detailedFindings } from '../report-model.ts';
import type { ReportFormat } from './format.ts';

/** Every format of a report. A writer is loaded when it is needed: some bring a typesetter along. */
export const reportFormats = {
  pdf: {
    contentType: 'application/pdf',
    extension: 'pdf',
    findings: detailedFindings,
    load: async () => (await import('./pdf.ts')).writePdf,
  },
  docx: {
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extension: 'docx',
    findings: detailedFindings,
    load: async () => (await import('./docx.ts')).writeDocx,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    extension: 'csv',
    findings: null,
    load: async () => (await import('./csv.ts')).writeCsv,
  },
  json: {
    contentType: 'application/json',
    extension: 'json',
    findings: null,
    load: async () => (await import('./json.ts')).writeJson,
  },
  sarif: {
    contentType: 'application/sarif+json',
    extension: 'sarif',
    findings: null,
    load: async () => (await import('./sarif.ts')).writeSarif,
  },
  ocsf: {
    contentType: 'application/json',
    extension: 'ocsf.json',
    findings: null,
    load: async () => (await import('./ocsf.ts')).writeOcsf,
  },
} satisfies Record<string, ReportFormat>;

export type ReportFormatName = keyof typeof reportFormats;
export const reportFormatNames = Object.keys(reportFormats) as ReportFormatName[];
