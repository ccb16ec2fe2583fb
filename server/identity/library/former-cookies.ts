import { createHmac, timingSafeEqual } from 'node:crypto';

const signatureOf = (payload: string, secret: string) => createHmac('sha256', secret).update(payload).digest('base64');

function isSignedBy(payload: string, signature: string, secret: string): boolean {
  const [sent, expected] = [Buffer.from(signature), Buffer.from(signatureOf(payload, secret))];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

function signAgain(value: string, current: string, former: string[]): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(value);
  } catch {
    return value;
  }
  const dot = decoded.lastIndexOf('.');
  if (dot < 1) return value;
  const [payload, signature] = [decoded.slice(0, dot), decoded.slice(dot + 1)];
  if (!former.some((secret) => isSignedBy(payload, signature, secret))) return value;
  return encodeURIComponent(`${payload}.${signatureOf(payload, current)}`);
}

/**
 * Re-signs the cookies of a request that a former secret signed: the sign-in library supports only one secret. The
 * first of `secrets` is the current one. All other cookies are unchanged.
 */
export function acceptFormerCookies(header: string, secrets: readonly { value: string }[]): string {
  const [current, ...former] = secrets.map(({ value }) => value);
  if (current === undefined || former.length === 0) return header;
  return header
    .split(';')
    .map((cookie) => {
      const equals = cookie.indexOf('=');
      if (equals === -1) return cookie;
      return `${cookie.slice(0, equals + 1)}${signAgain(cookie.slice(equals + 1).trim(), current, former)}`;
    })
    .join(';');
}
