import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/states.tsx';

export function PageNotFound() {
  return (
    <Page title="There is no page here" lead="The address may be mistyped, or the page no longer exists.">
      <p>
        <Link to={paths.overview}>Go to the overview</Link>
      </p>
    </Page>
  );
}

/** Shown in place of a page that failed to load or render. */
export function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  // A new version of the console has other files: loading the page again fetches them.
  const isOutdated = error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
  return (
    <Page title="This page can’t be displayed">
      <Failure error={error} onRetry={isOutdated ? () => location.reload() : reset} />
    </Page>
  );
}
