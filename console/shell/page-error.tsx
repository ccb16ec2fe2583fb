import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/states.tsx';

/** A page that could not be shown. */
export function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  // A new version of the console has other files: loading the page again fetches them.
  const isOutdated = error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
  return (
    <Page title="This page could not be shown">
      <Failure error={error} onRetry={isOutdated ? () => location.reload() : reset} />
    </Page>
  );
}
