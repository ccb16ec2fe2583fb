import { RouterProvider } from '@tanstack/react-router';
import { handleSignedOut, queryClient } from './api/query-client.ts';
import { signInAddress } from './paths.ts';
import { render } from './render.tsx';
import { router } from './routes.tsx';

/** Shows the pages behind the sign-in. */
export function show(): void {
  handleSignedOut(() => {
    queryClient.clear();
    location.assign(signInAddress());
  });
  render(<RouterProvider router={router} />);
}
