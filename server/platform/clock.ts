/** Where code that depends on time takes it from, so that a test can move it. Milliseconds since 1970. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is moved. For tests. */
export function stoppedClock(startMs: number): Clock & { advance(byMs: number): void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (byMs) => {
      nowMs += byMs;
    },
  };
}
