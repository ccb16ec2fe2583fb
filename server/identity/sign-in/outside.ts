/**
 * The common properties of the sign-in endpoints: they are outside the API's prefix, for browsers without a session.
 * The password, code or link in the request is the credential.
 */
export const outside = { root: true, tag: 'Sign-in', extension: true, permission: 'public' } as const;
