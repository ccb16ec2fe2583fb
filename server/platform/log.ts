import { type DestinationStream, type Logger, pino } from 'pino';
import { lineOf, type RepeatedLines } from './repeated-lines.ts';

/** The server's logger. It writes JSON lines with a level, a time and the passed fields. */
export type Log = Logger;

/** Fields that must never reach a log, wherever they are in the logged object. */
const secretFields = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  'password',
  'token',
  'secret',
  'credential',
  'credentials',
  'connectionString',
];

const join = (prefix: string, field: string) => (field.startsWith('[') ? `${prefix}${field}` : `${prefix}.${field}`);

const redactedPaths = secretFields.flatMap((field) => [
  field,
  join('*', field),
  join('*.*', field),
  join('req.headers', field),
  join('res.headers', field),
]);

/** Returns the end of the failed program's standard error, without credentials in URLs. */
function lastWordsOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { stderr } = error as { stderr?: unknown };
  if (typeof stderr !== 'string' || stderr === '') return lastWordsOf(error.cause);
  return stderr.slice(-2_000).replaceAll(/(?<=\/\/)[^\s/@]*@/g, '…@');
}

/**
 * Adds the program's standard error, and removes the connection that the driver attaches to an error: pages of state
 * in each line.
 */
function serializeError(error: Error): object {
  const { client: _client, stderr: _stderr, ...logged } = pino.stdSerializers.err(error);
  const stderr = lastWordsOf(error);
  return { ...logged, ...(stderr && { stderr }) };
}

export type LogOptions = {
  level: string;
  /** Standard error by default, so that standard output stays free for a command's result. */
  destination?: DestinationStream;
  /** Counts warnings and errors with the same cause instead of writing each of them. */
  repeated?: RepeatedLines;
  /** Called with each child logger. */
  onChild?(child: Log): void;
};

const { warn, error } = pino.levels.values;

/** Opens the log. Each line is one JSON object with `level` as a word and `time` in ISO 8601. */
export function openLog({ repeated, onChild, ...options }: LogOptions): Log {
  return pino(
    {
      ...(repeated && {
        hooks: {
          logMethod(args, method, level) {
            const now = () => method.apply(this, args);
            if (level !== warn && level !== error) return now();
            repeated.write(lineOf(args), now, (summary, message) => method.apply(this, [summary, message]));
          },
        },
      }),
      ...(onChild && { onChild }),
      level: options.level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '(redacted)' },
    },
    options.destination ?? pino.destination({ fd: 2, sync: true }),
  );
}

/** Discards everything: for tests and one-off commands. */
export const silentLog: Log = pino({ level: 'silent' });
