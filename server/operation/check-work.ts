import { findFeedAges } from '../detection/advisories/feed-ages.ts';
import { jobFigures, listFailingJobs } from '../platform/jobs/job-queries.ts';
import { findOverdue } from '../schedules/due-queries.ts';
import { type CheckInput, durationText, failed, type Outcome, ok, warning } from './check.ts';

const maxWaitSeconds = 900;
const maxSilenceSeconds = 60;
/** KEV changes every few days, the others daily. */
const maxFeedDays = 7;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Checks that a worker runs, that jobs don't wait long, and that none fails again and again. */
export async function checkJobs({ database }: CheckInput): Promise<Outcome> {
  const { jobs, oldestWaitingSeconds, heartbeatAgeSeconds } = await jobFigures(database.pool);
  const start = 'Start "assay start" or "assay work", and look at its log.';
  if (heartbeatAgeSeconds === null) return failed('No worker has ever run.', start);
  if (heartbeatAgeSeconds > maxSilenceSeconds)
    return failed(`No worker has been heard from for ${durationText(heartbeatAgeSeconds)}.`, start);
  const failing = await listFailingJobs(database.pool);
  if (failing.length > 0) {
    const names = failing.map(({ job, count }) => `${job} (${count})`).join(', ');
    return warning(`Jobs fail and are tried again: ${names}.`, 'The log of the workers says why ("A job failed").');
  }
  const total = jobs.reduce((sum, { count }) => sum + count, 0);
  const summary = `${counted(total, 'job')} waiting or running.`;
  if (oldestWaitingSeconds === null || oldestWaitingSeconds < maxWaitSeconds) return ok(summary);
  return warning(
    `A job has waited for ${durationText(oldestWaitingSeconds)}. ${summary}`,
    'Start another worker, on the same machine where processors are idle.',
  );
}

/** Checks that schedules run when they are due. */
export async function checkSchedules({ database }: CheckInput): Promise<Outcome> {
  const { overdue, oldestSeconds } = await database.transaction(null, findOverdue);
  if (overdue === 0 || oldestSeconds === null) return ok('No schedule is overdue.');
  const verb = overdue === 1 ? 'is' : 'are';
  return failed(
    `${counted(overdue, 'schedule')} ${verb} overdue, the oldest for ${durationText(oldestSeconds)}.`,
    'Workers start what is due every few seconds: look at their log, and at the check of jobs.',
  );
}

/** Checks the age of the facts on vulnerabilities. */
export async function checkFeeds({ database, feeds }: CheckInput): Promise<Outcome> {
  const ages = await database.transaction(null, findFeedAges);
  const isSetUp = feeds.advisories !== null || feeds.epss !== null || feeds.kev !== null;
  const setUp = 'Set ASSAY_ADVISORIES, or run "assay advisories sync --from DIR|URL".';
  if (ages.length === 0) {
    return isSetUp
      ? failed('A feed is set up, and nothing of it was loaded yet.', 'The log of the workers says why.')
      : warning('No advisories are loaded: dependencies are not matched with vulnerabilities.', setUp);
  }
  const summary = ages.map(({ feed, ageSeconds }) => `${feed}: ${durationText(ageSeconds)} ago`).join(', ');
  const isOld = ages.some(({ ageSeconds }) => ageSeconds > maxFeedDays * 86_400);
  if (!isOld) return ok(`Changed and loaded last: ${summary}.`);
  return warning(
    `What is loaded is old: ${summary}.`,
    isSetUp ? 'The log of the workers says why nothing newer was loaded.' : setUp,
  );
}
