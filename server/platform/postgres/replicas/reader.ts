import { ApiError, errorCode } from '../../errors.ts';
import { type Database, translateDatabaseError } from '../database.ts';
import type { Statement } from '../statement.ts';
import type { SharedMark } from './marks.ts';
import type { Place } from './replica.ts';
import type { ReplicaPool } from './replica-pool.ts';

/** Chooses the server that a credential reads from; implemented by `Replicas`. */
export type Places = {
  find(credential: string, shared: SharedMark): Place | undefined;
  onPrimary<T>(credential: string, run: () => Promise<T>): Promise<T>;
  count(server: string): void;
};

/** A statement that times out on a replica would take as long on the primary. */
const isTooSlow = (error: unknown) =>
  errorCode(error) === '57014' && /statement timeout/.test((error as Error).message);

/**
 * Creates a database for the reads of one request. A read that fails on a replica is repeated on the primary, and
 * later reads of the request go there too. Timeouts, aborts and API errors are not repeated.
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
        if (error instanceof ApiError || (error instanceof Error && error.name === 'AbortError')) throw error;
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
    consistentTransaction: (orgId, run) =>
      read(
        async ({ replica, position }) => {
          // `run` may have other effects, such as storing the rows, and may wrap an error of the replica in its own.
          let failure: unknown;
          const onReplica = (pool: ReplicaPool, gone: Promise<never>) =>
            pool.consistentTransaction(position, orgId, (tx) => {
              const fail = (error: unknown) => {
                failure ??= error;
                throw error;
              };
              // An abandoned run must not continue beside the one on the primary.
              return run({ ...tx, query: (statement) => Promise.race([tx.query<never>(statement), gone]).catch(fail) });
            });
          try {
            return await replica.read(onReplica);
          } catch (error) {
            throw failure ?? error;
          }
        },
        () => primary.consistentTransaction(orgId, run),
      ),
    single: <Row extends object>(orgId: string | null, statement: Statement, before: Statement[] = []) =>
      read(
        ({ replica, position }) => replica.read((pool) => pool.single<Row>(position, orgId, statement, before)),
        () => primary.single<Row>(orgId, statement, before),
      ),
    close: async () => {},
  } as Database;
}
