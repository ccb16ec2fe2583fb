import Type from 'typebox';
import { detailedFindings, type ReportHead } from '../report-model.ts';
import type { ReportFormat } from './format.ts';

const binary = Type.String({ format: 'binary' });
const openObject = Type.Object({}, { additionalProperties: true });
const SarifLog = Type.Object(
  { version: Type.String(), runs: Type.Array(openObject) },
  { $id: 'SarifLog', additionalProperties: true, description: 'With `format=sarif`: a SARIF 2.1.0 log.' },
);

/** All formats of a report. Writers are loaded on demand, because some need a typesetter. */
export const reportFormats = {
  pdf: {
    contentType: 'application/pdf',
    schema: binary,
    extension: 'pdf',
    options: ['language', 'standard', 'revision'],
    isDocument: true,
    load: async () => (await import('./pdf.ts')).writePdf,
  },
  docx: {
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    schema: binary,
    extension: 'docx',
    options: ['language', 'revision'],
    isDocument: true,
    load: async () => (await import('./docx.ts')).writeDocx,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    schema: Type.String({ description: 'RFC 4180, with a header row.' }),
    extension: 'csv',
    options: ['bom'],
    load: async () => (await import('./csv.ts')).writeCsv,
  },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    schema: binary,
    extension: 'xlsx',
    load: async () => (await import('./xlsx.ts')).writeXlsx,
  },
  json: {
    contentType: 'application/json',
    schema: Type.Object(
      { report: openObject, findings: Type.Array(openObject) },
      { $id: 'ReportDocument', description: 'With `format=json`: the head of the report, and its findings.' },
    ),
    extension: 'json',
    load: async () => (await import('./json.ts')).writeJson,
  },
  sarif: {
    contentType: 'application/sarif+json',
    schema: SarifLog,
    extension: 'sarif',
    load: async () => (await import('./sarif.ts')).writeSarif,
  },
  'sarif-github': {
    contentType: 'application/sarif+json',
    schema: SarifLog,
    extension: 'sarif',
    mayBeArchive: true,
    options: ['dataSource'],
    load: async () => (await import('./sarif-github.ts')).writeGithubSarif,
  },
  ocsf: {
    contentType: 'application/json',
    schema: Type.Array(openObject, {
      $id: 'OcsfEvents',
      description: 'With `format=ocsf`: OCSF events, one for each finding.',
    }),
    extension: 'ocsf.json',
    load: async () => (await import('./ocsf.ts')).writeOcsf,
  },
} satisfies Record<string, ReportFormat>;

/** Returns how many of the most severe findings a file needs. */
export function findingsIn(format: ReportFormat, { template }: Pick<ReportHead, 'template'>): number {
  if (!format.isDocument) return Number.POSITIVE_INFINITY;
  return template === 'executive' ? 0 : detailedFindings;
}

export type ReportFormatName = keyof typeof reportFormats;
export const reportFormatNames = Object.keys(reportFormats) as ReportFormatName[];
