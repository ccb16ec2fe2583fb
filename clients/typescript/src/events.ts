import { APIConnectionError, InvalidResponseError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import type { BulkOperation, DecisionEvent, FindingsEvent, ReportEvent, ResetEvent, ScanEvent } from './schema.ts';
import { backoffMs, type Transport } from './transport.ts';

/**
 * An event of the service, with its data read from JSON. `id` is the position after the event, if the stream has
 * positions.
 */
export type ServerEvent<T, Name extends string = string> = { event: Name; data: T; id?: string };

/** An event of the organization. A newer service may send others: ignore unknown ones. */
export type OrganizationEvent =
  | ServerEvent<ScanEvent, 'scan'>
  | ServerEvent<ReportEvent, 'report'>
  | ServerEvent<BulkOperation, 'bulk_operation'>
  | ServerEvent<DecisionEvent, 'decision'>
  | ServerEvent<FindingsEvent, 'findings'>
  | ServerEvent<ResetEvent, 'reset'>;

/** Yields the lines of a stream with any line endings; text after the last line ending is ignored. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be the first half of a line ending.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest.endsWith('\r')) yield rest.slice(0, -1);
}

function readData<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new InvalidResponseError('The data of an event is not JSON.', { status: 200, code: 'invalid_response' });
  }
}

/** The position to resume a stream from: the id of its last event. */
type Position = { id: string };

/** Yields the server-sent events of a stream; an incomplete event at its end is ignored. */
async function* readEvents<T>(chunks: AsyncIterable<Uint8Array>, position: Position): AsyncGenerator<ServerEvent<T>> {
  let event = 'message';
  let data: string[] = [];
  let { id } = position;
  for await (const line of readLines(chunks)) {
    if (line === '') {
      position.id = id;
      if (data.length > 0) yield { event, data: readData<T>(data.join('\n')), ...(id !== '' && { id }) };
      event = 'message';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
  }
}

/**
 * Yields the events of an address from the position `lastEventId` on, over as many connections as needed. It ends with
 * the event named `last`. With null it never ends and reconnects for as long as the service is unavailable; if the
 * service closes such a stream, that is not a failure.
 */
export async function* followEvents<T>(
  transport: Transport,
  path: string[],
  last: string | null,
  { lastEventId = '', ...options }: RequestOptions & { lastEventId?: string | undefined } = {},
): AsyncGenerator<ServerEvent<T>> {
  const maxRetries = last === null ? Number.POSITIVE_INFINITY : (options.maxRetries ?? transport.maxRetries);
  const position: Position = { id: lastEventId };
  for (let failures = 0; ; failures++) {
    const resume: Record<string, string> = position.id === '' ? {} : { 'Last-Event-ID': position.id };
    const given = { ...options, headers: { ...options.headers, ...resume }, maxRetries };
    const open = () =>
      transport.send({ method: 'GET', path, accept: 'text/event-stream' }, given, async (response, attempt) =>
        attempt.chunks(response),
      );
    const { data: chunks } = await open();
    let error: unknown =
      last === null
        ? null
        : new APIConnectionError('The events stopped before their end.', { code: 'connection_error' });
    try {
      for await (const event of readEvents<T>(chunks, position)) {
        failures = 0;
        yield event;
        if (event.event === last) return;
      }
      if (last === null) failures = 0;
    } catch (failure) {
      if (!(failure instanceof APIConnectionError)) throw failure;
      error = failure;
    }
    if (error !== null && failures >= maxRetries) throw error;
    await transport.sleep(backoffMs(failures), options.signal);
  }
}
