import { ApiError } from '../platform/errors.ts';

/** A refusal is stored in the row and shown; any other error is a fault that the next run may overcome. */
export type Outcome<T> = { value: T } | { refusal: string };

/** Turns an `ApiError` below 500 into a refusal; throws any other error. */
export async function refusalOf<T>(run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await run() };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { refusal: error.message };
    throw error;
  }
}
