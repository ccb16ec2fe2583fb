import { reportLanguages } from '../report-document.ts';
import { type ExportOptions, pdfStandards } from '../writers/format.ts';
import { type ReportFormatName, reportFormats } from '../writers/index.ts';

/** A format with the options of an export, as in its row and its job: `sarif-github;dataSource=ds_…`. */
export type ExportVariant = ReportFormatName | `${ReportFormatName};${string}`;

/** Returns the name of a variant. The same options have the same name, in any order. */
export function variantOf(format: ReportFormatName, options: ExportOptions = {}): ExportVariant {
  const chosen = Object.entries(options).filter(([, value]) => value !== undefined && value !== false);
  if (chosen.length === 0) return format;
  return `${format};${new URLSearchParams(chosen.map(([name, value]) => [name, String(value)]).sort())}`;
}

/** Returns the format and options of a variant; null for a name that this version does not support. */
export function readVariant(variant: string): { format: ReportFormatName; options: ExportOptions } | null {
  const [format, query = ''] = variant.split(';', 2);
  if (format === undefined || !Object.hasOwn(reportFormats, format)) return null;
  const { dataSource, bom, ...named } = Object.fromEntries(new URLSearchParams(query));
  const language = reportLanguages.find((one) => one === named.language);
  const standard = pdfStandards.find((one) => one === named.standard);
  const options: ExportOptions = {
    ...(dataSource !== undefined && { dataSource }),
    ...(bom === 'true' && { bom: true }),
    ...(language && { language }),
    ...(standard && { standard }),
    ...(/^\d{1,9}$/.test(named.revision ?? '') && { revision: Number(named.revision) }),
  };
  return { format: format as ReportFormatName, options };
}
