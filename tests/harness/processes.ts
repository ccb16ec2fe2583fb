import { readdirSync, readFileSync } from 'node:fs';

/** Returns the content of a file in `/proc` about a process, or null if the process has ended. */
export function processFile(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

/** Returns a process and all its descendants, parents first. Processes that end meanwhile are omitted. */
export function processTree(root: number): number[] {
  const threads = threadsOf(root);
  if (threads.length === 0) return [];
  const children = threads.map((thread) => processFile(root, `task/${thread}/children`) ?? '').join(' ');
  return [root, ...children.split(' ').filter(Boolean).map(Number).flatMap(processTree)];
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns the command line of a process; empty if it has ended. */
export const commandOf = (pid: number): string => (processFile(pid, 'cmdline') ?? '').replaceAll('\0', ' ');

/** Returns whether a process is running. A zombie is not. */
export const isAlive = (pid: number): boolean => !/^State:\s+Z/m.test(processFile(pid, 'status') ?? 'State:\tZ');

/** Sends a signal to a process unless it has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
