import { ApiError } from '../../platform/errors.ts';
import { WrongGuess } from '../guess-limits/guess-limits.ts';
import { accountDisabled } from './auth.ts';
import type { LibraryResponse } from './call-library.ts';

/** The time for which the library locks an account after ten wrong codes. */
const codeLockSeconds = 900;

/** Returns the refusal of a wrong body field, which counts as a guess. */
export function wrongField(field: string, message: string): WrongGuess {
  return new WrongGuess('invalid_request', `${field}: ${message}`, { details: [{ in: 'body', field, message }] });
}

const expired = (cause: string) => new ApiError('unauthenticated', `${cause} Sign in again.`);

function errorOfStatus({ status, code, message }: LibraryResponse): ApiError {
  if (status === 401) return expired('The sign-in has expired or was not started.');
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
  if (status < 400) throw new Error(`The sign-in library refused nothing: ${status} ${code}.`);
  const text = message === '' ? 'The sign-in was refused.' : `${message.replace(/\.$/, '')}.`;
  return new ApiError('invalid_request', text);
}

export const disabled = () =>
  new ApiError('forbidden', 'This account is disabled. Ask the operator of the server to enable it again.');

/** Converts a refusal of the sign-in library. `field` is the body field with the password or code. */
export function refusalOf(response: LibraryResponse, field: string): ApiError {
  switch (response.code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return new WrongGuess('unauthenticated', 'The email address or the password is wrong.');
    case 'INVALID_PASSWORD':
      return wrongField(field, 'is not your password');
    case 'INVALID_CODE':
    case 'INVALID_BACKUP_CODE':
      return new WrongGuess('unauthenticated', 'The code is wrong or no longer valid.');
    case accountDisabled:
      return disabled();
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return expired('Too many wrong codes.');
    default:
      return errorOfStatus(response);
  }
}
