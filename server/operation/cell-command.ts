import type { Command } from 'commander';
import { addJsonOption, printResult, tableLines } from '../platform/command-output.ts';
import { worstOf } from './check.ts';
import type { CheckedCell } from './check-cells.ts';

/** Checks the configured cells. */
export type CheckConfiguredCells = () => Promise<CheckedCell[]>;

/** Adds `cell list` and `cell check`. */
export function registerCellCommand(program: Command, check: CheckConfiguredCells): void {
  const cell = program.command('cell').description('list and check the PostgreSQL servers that hold the organizations');
  const list = cell.command('list').description('list the home cell and those of ASSAY_CELLS');
  addJsonOption(list).action(async () => {
    const cells = (await check()).map(({ cell: name, address, organizations, state }) => ({
      name,
      address,
      organizations,
      state,
    }));
    const rows = cells.map(({ name, address, organizations, state }) => [
      name,
      address,
      organizations === null ? '-' : `${organizations}`,
      state,
    ]);
    printResult(list, { cells }, tableLines(['CELL', 'ADDRESS', 'ORGANIZATIONS', 'STATE'], rows));
  });
  const checking = cell
    .command('check')
    .description('check each cell, also before it is added, and say what it lacks; exits with 1 when a check failed');
  addJsonOption(checking).action(async () => {
    const cells = await check();
    const lines = cells.flatMap(({ cell: name, state, summary, action }) => [
      `${state.padEnd(7)}  ${name.padEnd(9)}  ${summary}`,
      ...(action === null ? [] : [`${' '.repeat(20)}→ ${action}`]),
    ]);
    const state = worstOf(cells);
    printResult(checking, { state, cells }, lines);
    if (state === 'failed') process.exitCode = 1;
  });
}
