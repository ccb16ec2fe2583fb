import { ApiError, invalid } from '../platform/errors.ts';
import type { SignInRoute } from './sign-in-routes.ts';

/** Error codes of the sign-in library for a wrong password or code. */
const wrongGuesses = new Set(['INVALID_EMAIL_OR_PASSWORD', 'INVALID_PASSWORD', 'INVALID_CODE', 'INVALID_BACKUP_CODE']);

/** The time for which the library locks an account after ten wrong codes. */
const codeLockSeconds = 900;

export type SignInFailure = { error: ApiError; isWrongGuess: boolean };

/** Converts a refusal of the sign-in library to an ApiError. Throws for responses that are no refusals. */
export function readSignInFailure(route: SignInRoute, status: number, text: string): SignInFailure {
  const { code, message } = readBody(text);
  const isWrongGuess = route.guess !== undefined && wrongGuesses.has(code);
  return { error: errorOf(route, status, code, message), isWrongGuess };
}

function readBody(text: string): { code: string; message: string } {
  try {
    const { code = '', message = '' } = JSON.parse(text);
    return { code: String(code), message: String(message) };
  } catch {
    return { code: '', message: '' };
  }
}

function errorOf(route: SignInRoute, status: number, code: string, message: string): ApiError {
  if (code === 'INVALID_EMAIL_OR_PASSWORD') {
    return new ApiError('unauthenticated', 'The e-mail address or the password is wrong.');
  }
  if (code === 'INVALID_PASSWORD') return invalid('body', route.guess ?? 'password', 'is not your password');
  if (code === 'INVALID_CODE' || code === 'INVALID_BACKUP_CODE') {
    return new ApiError('unauthenticated', 'The code is wrong or no longer valid.');
  }
  if (status === 401)
    return new ApiError('unauthenticated', 'The sign-in has expired or was not started. Sign in again.');
  if (status === 403) {
    return new ApiError(
      'forbidden',
      'A session can only be used from the console. Use an API token from anywhere else.',
    );
  }
  if (status === 429) {
    return new ApiError('rate_limited', `Too many wrong codes. Wait ${codeLockSeconds} seconds and try again.`, {
      headers: { 'Retry-After': String(codeLockSeconds) },
    });
  }
  if (status >= 400 && status < 500) {
    return new ApiError(
      'invalid_request',
      message === '' ? 'The sign-in was refused.' : `${message.replace(/\.$/, '')}.`,
    );
  }
  throw new Error(`The sign-in failed with ${status} ${code}.`);
}
