/**
 * The end of a line within base64 that was wrapped: by a program, in a block of YAML, or in strings that code joins, with
 * a quote and an operator. In RE2 and JavaScript syntax, of at most 50 characters.
 */
export const base64LineBreak = '(?:["\'][ \\t]{0,4}[+.\\\\]?[ \\t]{0,4}|\\\\)?\\r?\\n[ \\t]{0,40}["\']?';

/** A character, or the end, after base64: `next` in `next: value` has none. In RE2 syntax. */
export const afterBase64 = '(?:[^A-Za-z0-9+/=:_.-]|$)';

const breaks = new RegExp(base64LineBreak, 'g');

/** Returns wrapped base64 in one line. */
export const unwrapBase64 = (text: string): string => (text.includes('\n') ? text.replace(breaks, '') : text);
