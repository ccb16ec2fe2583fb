import type { APIStatusError } from '@assay/client';

type Refusal = Pick<APIStatusError, 'code' | 'message' | 'details'>;

/** Returns the messages of a validation error about single fields. */
const saidOf = ({ code, details }: Refusal) =>
  code === 'invalid_request' ? details.filter((detail) => detail.field && detail.message) : [];

/** Returns the messages about single fields in the form that a field shows: "Must name a host." */
export function readFields(error: Refusal): Record<string, string> {
  return Object.fromEntries(saidOf(error).map(({ field, message }) => [field!, sentence(message!)]));
}

const sentence = (text: string) => {
  const capitalized = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capitalized) ? capitalized : `${capitalized}.`;
};

const words: Record<string, string> = { url: 'URL', cron: 'timetable', q: 'search', body: 'request' };

/** Names a field of the API for people: `config.url` is "The URL". */
function nameOf(field: string): string {
  const last = field
    .replaceAll(/\[\d+\]/g, '')
    .split('.')
    .at(-1)!;
  return `The ${words[last] ?? last.replaceAll('_', ' ')}`;
}

/** Returns a validation error in sentences with the fields' labels; its own message has the API's names. */
export function readMessage(error: Refusal, isShown: (field: string) => boolean = () => false): string {
  const about = saidOf(error)
    .filter(({ field }) => !isShown(field!))
    .map(({ field, message }) => sentence(`${nameOf(field!)} ${message}`));
  return [...new Set(about)].slice(0, 3).join(' ') || error.message;
}
