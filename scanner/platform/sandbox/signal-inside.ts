import { constants } from 'node:os';

/** Signals that kill a program: a shell or a sandbox around it reports them as exit codes. */
const killers = [
  'SIGILL',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGSEGV',
  'SIGTERM',
  'SIGXCPU',
  'SIGXFSZ',
] as const;

/** Returns the signal that ended a program inside a sandbox, from the exit code of the sandbox; null if none did. */
export const signalInside = (exitCode: number | null): NodeJS.Signals | null =>
  killers.find((name) => exitCode === 128 + constants.signals[name]) ?? null;
