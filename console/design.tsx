import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { preferencesQuery } from './api/preferences.ts';
import { queryClient } from './api/query-client.ts';
import DesignPage from './features/design/page.tsx';
import { render } from './render.tsx';

/** Shows the page of all controls. It needs no session and no server. */
export function show(): void {
  queryClient.setQueryData(preferencesQuery.queryKey, {
    theme: 'system',
    density: 'comfortable',
    columns: null,
    single_keys: true,
    custom: {},
  });
  const router = createRouter({ routeTree: createRootRoute({ component: DesignPage }) });
  render(<RouterProvider router={router as never} />);
}
