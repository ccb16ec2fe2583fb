import type { LogFn } from 'pino';

const windowMs = 60_000;

/** A log line before it is written: its fields and its message. */
export type LogLine = { fields: Record<string, unknown>; message: string };

type Repeats = { lines: number; messages: Map<string, number>; timer: NodeJS.Timeout };

export type RepeatedLines = {
  /** Writes the line, or counts it when one with the same cause was written within the last minute. */
  write(line: LogLine, now: () => void, later: (summary: object, message: string) => void): void;
  /** Writes the counts so far. */
  flush(): void;
};

/**
 * Writes one line a minute for lines with the same cause: the first unchanged, and then the number of omitted lines.
 * A database outage would otherwise write a stack trace for each request, job and tick. `causeOf` returns null for a
 * line that is always written.
 */
export function createRepeatedLines(causeOf: (line: LogLine) => string | null, everyMs = windowMs): RepeatedLines {
  const causes = new Map<string, Repeats & { sum(): void }>();

  function open(cause: string, later: (summary: object, message: string) => void): void {
    const repeats = {
      lines: 0,
      messages: new Map<string, number>(),
      sum() {
        if (repeats.lines === 0) return;
        const messages = Object.fromEntries([...repeats.messages].sort(([, a], [, b]) => b - a).slice(0, 10));
        later(
          { cause, lines: repeats.lines, messages },
          `${repeats.lines === 1 ? 'Another line' : `${repeats.lines} more lines`} of the same cause within a minute.`,
        );
      },
      timer: setInterval(() => {
        repeats.sum();
        if (repeats.lines === 0) {
          clearInterval(repeats.timer);
          causes.delete(cause);
        }
        repeats.lines = 0;
        repeats.messages.clear();
      }, everyMs).unref(),
    };
    causes.set(cause, repeats);
  }

  return {
    write(line, now, later) {
      const cause = causeOf(line);
      if (cause === null) return now();
      const repeats = causes.get(cause);
      if (!repeats) {
        open(cause, later);
        return now();
      }
      repeats.lines += 1;
      repeats.messages.set(line.message, (repeats.messages.get(line.message) ?? 0) + 1);
    },
    flush() {
      for (const repeats of causes.values()) {
        repeats.sum();
        repeats.lines = 0;
      }
    },
  };
}

/** Returns the fields and the message of a log call. */
export function lineOf([first, second]: Parameters<LogFn> | unknown[]): LogLine {
  if (typeof first === 'string') return { fields: {}, message: first };
  if (first instanceof Error) return { fields: { err: first }, message: String(second ?? first.message) };
  return { fields: (first ?? {}) as Record<string, unknown>, message: String(second ?? '') };
}
