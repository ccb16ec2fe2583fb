import type pg from 'pg';
import type { Statement } from '../statement.ts';
import { endOfLog } from './positions.ts';

/** The migrations of a database and the times when they were applied, which identify an installation. */
const schema = `(SELECT md5(string_agg(concat_ws(' ', version, checksum, extract(epoch FROM applied_at)), ',' ORDER BY version))
  FROM schema_migrations)`;

const bytes = (lsn: string) => `pg_wal_lsn_diff(${lsn}, '0/0')::bigint`;

/** Reads the position of the primary. It must run after the statement that reads its mark. */
export const readPrimary: Statement = {
  name: 'primary_position',
  text: `SELECT ${bytes('pg_current_wal_insert_lsn()')} AS inserted, ${bytes('pg_current_wal_flush_lsn()')} AS flushed,
           pg_size_bytes(current_setting('wal_segment_size')) AS "segmentBytes", ${schema} AS schema`,
};

export const readReplica: Statement = {
  name: 'replica_position',
  text: `SELECT pg_is_in_recovery() AS "isStandby", ${bytes('pg_last_wal_replay_lsn()')} AS replayed, ${schema} AS schema`,
};

/** The primary's report about itself. */
export type PrimaryFacts = { lsn: number; schema: string };

export function primaryFacts({ rows }: pg.QueryResult): PrimaryFacts {
  const { inserted, flushed, segmentBytes, schema } = rows[0] as {
    inserted: string;
    flushed: string;
    segmentBytes: string;
    schema: string;
  };
  return { lsn: endOfLog(Number(inserted), Number(flushed), Number(segmentBytes)), schema };
}

/** A replica's report about itself; `replayed` is null on a server that is not in recovery. */
export type ReplicaFacts = { isStandby: boolean; replayed: number | null; schema: string };

export function replicaFacts({ rows }: pg.QueryResult): ReplicaFacts {
  const { isStandby, replayed, schema } = rows[0] as { isStandby: boolean; replayed: string | null; schema: string };
  return { isStandby, replayed: replayed === null ? null : Number(replayed), schema };
}
