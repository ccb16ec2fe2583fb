import { constants } from 'node:os';

/** Signals by which a program is ended against its will: a shell or a sandbox around it reports them as exit codes. */
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

/** Returns the signal that ended a program inside of a sandbox, by the exit code of the sandbox; null when none did. */
export const signalInside = (exitCode: number | null): NodeJS.Signals | null =>
  killers.find((name) => exitCode === 128 + constants.signals[name]) ?? null;
