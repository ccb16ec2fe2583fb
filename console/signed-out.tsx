import { lazy, Suspense } from 'react';
import { publicPages } from './pages.ts';
import { render } from './render.tsx';

const Page = lazy(publicPages[location.pathname as keyof typeof publicPages]);

render(
  <Suspense>
    <Page />
  </Suspense>,
);
