import compress from '@fastify/compress';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const exposedHeaders = [
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-Request-Id',
];

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'X-Request-Id',
];

const none = ["'none'"];

/** Sets headers that keep browsers from misusing a response. Routes that serve pages set their own policy. */
export async function protectBrowsers(app: FastifyInstance, baseUrl: string): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: none, baseUri: none, formAction: none, frameAncestors: none },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: baseUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  });
}

/** Lets pages of the listed origins call the API, without cookies. Does nothing when no origin is listed. */
export async function allowOrigins(api: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  await api.register(cors, () => async (request: FastifyRequest): Promise<FastifyCorsOptions> => {
    if (!allowed.has(request.headers.origin ?? '')) return { origin: false };
    return {
      origin: request.headers.origin!,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders,
      exposedHeaders,
      credentials: false,
      maxAge: 600,
      strictPreflight: false,
    };
  });
}

const compressible = /^(application\/(([\w.-]+\+)?json|javascript)|text\/(?!event-stream)|image\/svg\+xml)/;

/**
 * Compresses responses above 1 KiB for clients that accept it. Compressed requests are not accepted: nothing would
 * limit their unpacked size.
 */
export async function compressResponses(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    customTypes: (type) => compressible.test(type),
  });
}
