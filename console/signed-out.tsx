import { lazy, Suspense } from 'react';
import { publicPages } from './pages.ts';
import { render } from './render.tsx';

/** Shows the page of this address to a person without a session. */
export function show(): void {
  const Page = lazy(publicPages[location.pathname as keyof typeof publicPages]);
  render(
    <Suspense>
      <Page />
    </Suspense>,
  );
}
