import { type Check, type CheckInput, type CheckName, failed, type Outcome, ok } from './check.ts';
import { checkRoles, checkSchema } from './check-database.ts';
import { checkBackups, checkClock, checkRoom } from './check-machine.ts';
import { checkReplicas } from './check-replicas.ts';
import { checkFeeds, checkJobs, checkSchedules } from './check-work.ts';

const checks: Array<[CheckName, (input: CheckInput) => Promise<Outcome>]> = [
  ['room', checkRoom],
  ['clock', checkClock],
  ['backup', checkBackups],
  ['jobs', checkJobs],
  ['schedules', checkSchedules],
  ['schema', checkSchema],
  ['roles', checkRoles],
  ['replicas', checkReplicas],
  ['feeds', checkFeeds],
];

async function checkDatabase({ database }: CheckInput): Promise<Outcome> {
  await database.single(null, { name: 'doctor_ping', text: 'SELECT 1' });
  return ok('The database responds.');
}

/** Runs every check, one after the other. `explain` says of an unexpected error what the reader may see. */
export async function runChecks(input: CheckInput, explain: (error: unknown) => string): Promise<Check[]> {
  const run = async (name: CheckName, check: (input: CheckInput) => Promise<Outcome>): Promise<Check> => {
    const outcome = await check(input).catch((error) =>
      failed(`This could not be checked: ${explain(error)}`, 'Remove the reason and check again.'),
    );
    return { name, ...outcome };
  };
  const results = [await run('database', checkDatabase)];
  for (const [name, check] of checks) results.push(await run(name, check));
  return results;
}

/** The checks of an installation whose database can't be reached: of the others only the room is known. */
export async function checksWithout(reason: string, action: string, input: Pick<CheckInput, 'room'>): Promise<Check[]> {
  const away = { transaction: () => Promise.reject(new Error(reason)) } as unknown as CheckInput['database'];
  const room = await checkRoom({ ...input, database: away } as CheckInput);
  return [
    { name: 'database', ...failed(`The database can't be reached: ${reason}`, action) },
    { name: 'room', ...room },
  ];
}
