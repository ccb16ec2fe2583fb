import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';

/**
 * The list that a cursor belongs to; any other list refuses it. The order of keys and of listed values is irrelevant.
 */
export type CursorBinding = {
  operation: string;
  orgId: string;
  filters?: Record<string, unknown>;
  sort?: string;
};

/** The sort key of the last row of a page; the tie-breaker comes last. */
export type CursorPosition = readonly (string | number | boolean | null)[];

export type CursorCodec = {
  encode(binding: CursorBinding, position: CursorPosition): string;
  /**
   * Returns the position. Throws 400 `invalid_cursor` for a cursor that was altered, belongs to another list, or is
   * not ours.
   */
  decode(binding: CursorBinding, cursor: string): CursorPosition;
};

const macBytes = 16;
const cursorShape = /^[A-Za-z0-9_-]{24,2048}$/;

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(canonical(item))).sort();
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, canonical(item)]);
};

function refused(): ApiError {
  const message =
    'not valid for this list. Use it unchanged, with the same filters and sort, or start again without it';
  return new ApiError('invalid_cursor', `next_cursor: ${message}.`, {
    details: [{ in: 'query', field: 'next_cursor', message }],
  });
}

/**
 * Creates cursors signed with a key: at least 32 bytes that every node shares. Clients can read positions but not
 * change them. Cursors signed with `former` keys are accepted.
 */
export function createCursorCodec(keyBytes: Buffer, former: Buffer[] = []): CursorCodec {
  // Created once: given bytes, the library would create a key object for each signature.
  const present = createSecretKey(keyBytes);
  const keys = [present, ...former.map((bytes) => createSecretKey(bytes))];
  const sign = (key: KeyObject, binding: CursorBinding, payload: Buffer) =>
    createHmac('sha256', key)
      .update(JSON.stringify(canonical(binding)))
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, macBytes);

  return {
    encode(binding, position) {
      const payload = Buffer.from(JSON.stringify(position));
      return Buffer.concat([sign(present, binding, payload), payload]).toString('base64url');
    },
    decode(binding, cursor) {
      if (!cursorShape.test(cursor)) throw refused();
      const bytes = Buffer.from(cursor, 'base64url');
      // The same bytes in another encoding are an altered cursor.
      if (bytes.length <= macBytes || bytes.toString('base64url') !== cursor) throw refused();
      const payload = bytes.subarray(macBytes);
      const mac = bytes.subarray(0, macBytes);
      if (!keys.some((key) => timingSafeEqual(mac, sign(key, binding, payload)))) throw refused();
      return JSON.parse(payload.toString()) as CursorPosition;
    },
  };
}

/**
 * Builds a page from up to `limit` + 1 `rows`; the extra row shows that there are more. `positionOf` returns the sort
 * key of a row.
 */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  cursors: CursorCodec,
  binding: CursorBinding,
  positionOf: (row: Row) => CursorPosition,
): { data: Row[]; next_cursor: string | null } {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { data, next_cursor: more ? cursors.encode(binding, positionOf(last)) : null };
}
