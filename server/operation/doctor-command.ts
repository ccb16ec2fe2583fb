import type { Command } from 'commander';
import { addJsonOption, printResult } from '../platform/command-output.ts';
import { type Check, worstOf } from './check.ts';

/** Checks the configured installation, whether or not it is running. */
export type CheckInstallation = () => Promise<Check[]>;

const marks = { ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ' };

const linesOf = ({ name, state, summary, action }: Check): string[] => [
  `${marks[state]}  ${name.padEnd(9)}  ${summary}`,
  ...(action === null ? [] : [`${' '.repeat(20)}→ ${action}`]),
];

/** Adds `doctor`. */
export function registerDoctorCommand(program: Command, check: CheckInstallation): void {
  const doctor = program
    .command('doctor')
    .description('check the installation, running or not, and say what to fix; exits with 1 when a check failed');
  addJsonOption(doctor).action(async () => {
    const checks = await check();
    const state = worstOf(checks);
    printResult(doctor, { state, checks }, checks.flatMap(linesOf));
    if (state === 'failed') process.exitCode = 1;
  });
}
