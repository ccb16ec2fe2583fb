import { crc32SuffixAfter, isSignedJwt, jwtClaimIs } from '../checksums.ts';
import type { SecretRule } from '../rule.ts';
import { sampleJwt, sampleWithCrc32Base62 } from '../sample.ts';
import { shapeSample } from '../shape.ts';
import { checkedTokenRules, tokenRule } from './provider-rule.ts';

const claims = { sub: 'a81bc81b', name: 'Deploy', iat: 1700000000, scope: 'read write' };
const jwt = () => sampleJwt({ alg: 'HS256', typ: 'JWT' }, claims);
const isPublicByDesign = (secret: string) => jwtClaimIs(secret, 'role', 'anon');
/** Claims of the example tokens in the standard, on jwt.io and in library manuals. */
const tutorialClaims: Array<[claim: string, value: string]> = [
  ['sub', '1234567890'],
  ['name', 'John Doe'],
  ['name', 'Jane Doe'],
  ['iss', 'joe'],
  ['iss', 'example.com'],
  ['iss', 'https://example.com'],
  ['foo', 'bar'],
  ['hello', 'world'],
  ['some', 'payload'],
];
const isDocumentationExample = (secret: string) =>
  tutorialClaims.some(([claim, value]) => jwtClaimIs(secret, claim, value));

/** Bearer tokens of any issuer, and this product's own. */
export const tokenRules: SecretRule[] = [
  ...checkedTokenRules({
    id: 'assay-api-token',
    name: 'Assay API token',
    severity: 'critical',
    can: 'read and change findings, data sources and members as far as its scopes go',
    revoke: 'Assay: user profile, API tokens',
    shapes: 'asy_{alnum:40}',
    verify: crc32SuffixAfter('asy_'),
    sample: () => sampleWithCrc32Base62('asy_', 34),
    misses: () => [shapeSample('asy_{alnum:40}'), `${sampleWithCrc32Base62('asy_', 34)}a`],
  }),
  tokenRule({
    id: 'jwt',
    name: 'JSON web token',
    severity: 'medium',
    can: 'act as its subject until it expires',
    revoke: 'the service that issued it (end the session, or rotate the signing key when it does not expire)',
    references: ['https://www.rfc-editor.org/rfc/rfc7519'],
    keywords: ['eyj', 'ewog'],
    anchored: true,
    shapes: ['eyJ{url:14-600}.eyJ{url:14-1000}.{url:27-700}', 'ewog{url:14-600}.{url:14-1000}.{url:27-700}'],
    verify: (secret) => isSignedJwt(secret) && !isPublicByDesign(secret) && !isDocumentationExample(secret),
    sample: jwt,
    minEntropy: 3.8,
    misses: () => [
      sampleJwt({ alg: 'none' }, claims),
      sampleJwt({ typ: 'JWT' }, claims),
      sampleJwt({ alg: 'HS256', typ: 'JWT' }, { sub: '1234567890', name: 'John Doe', iat: 1516239022 }),
      `${jwt().split('.').slice(0, 2).join('.')}.`,
    ],
  }),
  tokenRule({
    id: 'jwt-base64',
    name: 'JSON web token in base64',
    severity: 'medium',
    can: 'act as its subject until it expires',
    revoke: 'the service that issued it (end the session, or rotate the signing key when it does not expire)',
    shapes: ['ZXlK{b64:80-1000}{pad}'],
    verify: (secret) => isSignedJwt(Buffer.from(secret, 'base64').toString('latin1')),
    sample: () => Buffer.from(jwt()).toString('base64').replaceAll('=', ''),
  }),
];
