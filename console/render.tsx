import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { theme } from './ui/theme.ts';

/**
 * Renders pages in the document and returns the root that unmounts them. The document's policy forbids style elements:
 * Mantine's variables and classes are in style sheets.
 */
export function render(pages: ReactNode): Root {
  const root = createRoot(document.getElementById('root')!);
  root.render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" withGlobalClasses={false} withCssVariables={false}>
        <QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
  return root;
}
