import { queryOptions } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';

export const tokensQuery = queryOptions({
  queryKey: ['profile', 'tokens'],
  queryFn: ({ signal }) => assay.profile.tokens.list({ limit: 200 }, { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ['profile', 'passkeys'],
  queryFn: ({ signal }) => assay.profile.passkeys.list({ limit: 100 }, { signal }).then(({ data }) => data),
});

export const sessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: ({ signal }) => assay.profile.sessions.list({ limit: 100 }, { signal }).then(({ data }) => data),
});

export const failedSignInsQuery = queryOptions({
  queryKey: ['profile', 'failed-sign-ins'],
  queryFn: ({ signal }) => assay.profile.sessions.failedSignIns({ limit: 20 }, { signal }).then(({ data }) => data),
});
