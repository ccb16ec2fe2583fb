import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './ui/mantine.css';
import './theme.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { handleSignedOut, queryClient } from './api/query-client.ts';
import { paths, publicPaths } from './paths.ts';
import { router } from './routes.tsx';
import { theme } from './ui/theme.ts';

handleSignedOut(() => {
  if (publicPaths.includes(location.pathname)) return;
  queryClient.clear();
  void router.navigate({ to: paths.signIn, search: { redirect: location.pathname + location.search } });
});

// The policy of the page forbids style elements: Mantine's variables and classes are in its style sheets.
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withGlobalClasses={false} withCssVariables={false}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
