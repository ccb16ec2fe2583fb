import { Readable } from 'node:stream';
import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { filterProperties, readFilters } from '../findings/filters/read.ts';
import { FindingWithPlaces } from '../findings/finding-schema.ts';
import { requireFilterOf } from '../findings/listing/list-order.ts';
import { defaultSort, listSorts } from '../findings/orders.ts';
import { recordExport } from '../organization/record-export.ts';
import { invalid } from '../platform/errors.ts';
import { enumeration } from '../platform/http/schema.ts';
import { autocommit } from '../platform/postgres/database.ts';
import { byteOrderMark } from './export-options.ts';
import { exportFindings, exportFormats } from './exports/export-findings.ts';
import { describeList } from './exports/list-workbook.ts';
import { reportFormats } from './writers/index.ts';

const FindingFile = Type.Object(
  { data: Type.Array(FindingWithPlaces, { description: 'Each also with `comments`, its newest ones.' }) },
  { $id: 'FindingFile', description: 'With `format=json`.' },
);

export const findingExportRoute = defineRoute({
  method: 'GET',
  path: '/findings/export',
  operationId: 'exportFindings',
  tag: 'Findings',
  summary: 'Export the list of findings',
  description:
    'Returns all findings that the filters select as a file, streamed, however many there are. CSV and XLSX have the columns of a report, and XLSX the filters on a second sheet; JSON has the findings with their places and newest comments. Findings that change meanwhile may be there in their old or their new state; a report shows them all as they were at one moment.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query: {
    ...filterProperties,
    sort: Type.Optional(
      enumeration(listSorts, {
        $id: 'FindingExportSort',
        description: 'Order, as in the list. `relevance` needs `q` and has its newest matches, at most 500.',
      }),
    ),
    format: enumeration(exportFormats, { $id: 'FindingExportFormat', description: 'The format of the file.' }),
    bom: byteOrderMark,
  },
  responses: {
    200: {
      content: {
        [reportFormats.csv.contentType]: reportFormats.csv.schema,
        [reportFormats.xlsx.contentType]: reportFormats.xlsx.schema,
        [reportFormats.json.contentType]: FindingFile,
      },
      description: 'The file.',
      headers: { 'Content-Disposition': '`attachment` with the name of the file.' },
    },
  },
  errors: [],
  handler: async ({ actor, query, context: { columns, database, identity }, reads, request, reply }) => {
    const { sort = defaultSort, format, bom, ...given } = query;
    if (bom && format !== 'csv') throw invalid('query', 'bom', 'only for the format csv');
    requireFilterOf(sort, given, (message) => invalid('query', 'sort', message));
    const db = autocommit(reads, actor.orgId);
    const list = { columns, filters: await readFilters(db, actor, given), sort, baseUrl: identity.baseUrl };
    const pieces = exportFindings(
      reads,
      actor.orgId,
      format === 'xlsx'
        ? { ...list, format, ...(await describeList(db, actor.orgId, { filters: given, sort, userId: actor.userId })) }
        : { ...list, format, bom },
    );
    // The first piece is created before the response starts, so that errors up to then have their own status.
    const first = await pieces.next();
    await recordExport(database, request, actor, {
      action: 'findings.exported',
      target: { id: actor.orgId },
      details: { format, filters: given, sort },
    });
    const all = async function* () {
      if (!first.done) yield first.value;
      yield* pieces;
    };
    const day = new Date().toISOString().slice(0, 10);
    reply.header('content-type', reportFormats[format].contentType);
    reply.header('content-disposition', `attachment; filename="findings-${day}.${format}"`);
    return Readable.from(all(), { objectMode: false });
  },
});
