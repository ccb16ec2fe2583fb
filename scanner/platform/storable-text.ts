/** Replaces the characters that PostgreSQL cannot store: NUL, and lone surrogates in JSON. */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
