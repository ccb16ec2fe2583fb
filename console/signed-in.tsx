import { RouterProvider } from '@tanstack/react-router';
import { handleSignedOut, queryClient } from './api/query-client.ts';
import { signInAddress } from './paths.ts';
import { render } from './render.tsx';
import { router } from './routes.tsx';

/** Shows the pages behind the sign-in. */
export function show(): void {
  const root = render(<RouterProvider router={router} />);
  handleSignedOut(() => {
    // Pages would read a profile that no longer exists.
    root.unmount();
    queryClient.clear();
    location.assign(signInAddress());
  });
}
