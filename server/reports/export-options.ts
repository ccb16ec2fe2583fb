import Type from 'typebox';
import { invalid } from '../platform/errors.ts';
import { enumeration, idOf } from '../platform/http/schema.ts';
import type { ReportRow } from './queries.ts';
import { type ReportLanguage, reportLanguages } from './report-document.ts';
import { type ExportOptions, type PdfStandard, pdfStandards, type ReportFormat } from './writers/format.ts';
import { type ReportFormatName, reportFormatNames, reportFormats } from './writers/index.ts';

export const byteOrderMark = Type.Optional(
  Type.Boolean({
    description:
      'With `format=csv`: whether the file begins with a byte order mark, which Excel needs to open it directly.',
  }),
);

/** The query parameters of an export besides its format. */
export const exportParameters = {
  data_source: Type.Optional(
    idOf('ds', 'With `format=sarif-github`: the id of the only data source whose findings are exported, as one file.'),
  ),
  bom: byteOrderMark,
  language: Type.Optional(
    enumeration(reportLanguages, {
      $id: 'ExportLanguage',
      description: 'With `format=pdf` or `docx`: the language; by default `document.language` of the report.',
    }),
  ),
  standard: Type.Optional(
    enumeration(pdfStandards, {
      $id: 'ExportStandard',
      description:
        'With `format=pdf`: PDF/UA-1 (`ua-1`, by default), which screen readers need, or PDF/A-2a (`a-2a`) for archives. Both are tagged.',
    }),
  ),
};

type Given = {
  format: ReportFormatName;
  data_source?: string | undefined;
  bom?: boolean | undefined;
  language?: ReportLanguage | undefined;
  standard?: PdfStandard | undefined;
};

/** Throws 400 unless the format has this option. */
function requireOption(format: ReportFormatName, option: keyof ExportOptions, parameter: string): void {
  const having = reportFormatNames.filter((name) => (reportFormats[name] as ReportFormat).options?.includes(option));
  if (!having.includes(format)) throw invalid('query', parameter, `only for the format ${having.join(' or ')}`);
}

/**
 * Returns the options of an export, without defaults. Throws 400 for an option that the format or the report does not
 * have.
 */
export function readExportOptions(
  { format, data_source: dataSource, bom, language, standard }: Given,
  { summary, document, revision }: ReportRow,
): ExportOptions {
  if (bom) requireOption(format, 'bom', 'bom');
  if (language !== undefined) requireOption(format, 'language', 'language');
  if (standard !== undefined) requireOption(format, 'standard', 'standard');
  if (dataSource !== undefined) {
    requireOption(format, 'dataSource', 'data_source');
    if (!summary?.by_data_source.some(({ id }) => id === dataSource)) {
      const message = 'this report has no findings of it; `summary.by_data_source` lists those it has';
      throw invalid('query', 'data_source', message);
    }
  }
  return {
    ...(bom && { bom }),
    ...(dataSource !== undefined && { dataSource }),
    // The default gives the same file, whether it is specified or not.
    ...(language !== undefined && language !== document.language && { language }),
    ...(standard !== undefined && standard !== pdfStandards[0] && { standard }),
    ...('isDocument' in reportFormats[format] && revision > 0 && { revision }),
  };
}
