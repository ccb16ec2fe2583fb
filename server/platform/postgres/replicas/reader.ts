import { ApiError, errorCode } from '../../errors.ts';
import { type Database, type Db, translateDatabaseError } from '../database.ts';
import type { Statement } from '../statement.ts';
import type { SharedMark } from './marks.ts';
import type { Place } from './replica.ts';

/** Chooses where a credential reads, as `Replicas` does. */
export type Places = {
  find(credential: string, shared: SharedMark): Place | undefined;
  onPrimary<T>(credential: string, run: () => Promise<T>): Promise<T>;
  count(server: string): void;
};

/** A statement that takes too long on a replica would take as long on the primary. */
const isTooSlow = (error: unknown) =>
  errorCode(error) === '57014' && /statement timeout/.test((error as Error).message);

/**
 * Makes a database for the reads of one request. What fails on a replica, for whatever reason, is read again from the
 * primary, and so is everything after it in the request.
 */
export function createReader(
  replicas: Places,
  primary: Database,
  credential: string,
  looked: Promise<SharedMark>,
): Database {
  let usesPrimary = false;

  async function read<T>(onReplica: (place: Place) => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    const place = usesPrimary ? undefined : replicas.find(credential, await looked);
    if (place) {
      try {
        const result = await onReplica(place);
        replicas.count(place.replica.name);
        return result;
      } catch (error) {
        if (error instanceof ApiError) throw error;
        if (isTooSlow(error)) throw translateDatabaseError(error);
      }
    }
    usesPrimary = true;
    replicas.count('primary');
    return replicas.onPrimary(credential, onPrimary);
  }

  return {
    pool: primary.pool,
    transaction: (orgId, run) =>
      read(
        ({ replica, position }) => replica.read((pool) => pool.transaction(position, orgId, run)),
        () => primary.transaction(orgId, run),
      ),
    consistentTransaction: (orgId: string, run: (tx: Db) => Promise<never>) =>
      replicas.onPrimary(credential, () => primary.consistentTransaction(orgId, run)),
    single: <Row extends object>(orgId: string | null, statement: Statement, before: Statement[] = []) =>
      read(
        ({ replica, position }) => replica.read((pool) => pool.single<Row>(position, orgId, statement, before)),
        () => primary.single<Row>(orgId, statement, before),
      ),
    close: async () => {},
  } as Database;
}
