// The form that the sign-in accepts: a person with any other address could never sign in.
const shape =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/**
 * Returns the form in which an email address is stored and compared: lower case, without surrounding spaces. Null if
 * the text is not an address (at most 254 characters, 64 before the `@`; RFC 5321).
 */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  if (email.length > 254 || email.indexOf('@') > 64) return null;
  return shape.test(email) ? email : null;
}
