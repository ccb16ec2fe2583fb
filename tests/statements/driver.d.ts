declare module 'pg/lib/utils.js' {
  /** Returns a value in the form that the driver sends. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
