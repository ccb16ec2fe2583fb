import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { Page } from '../ui/page.tsx';

export function PageNotFound() {
  return (
    <Page title="There is no page here" lead="The address may be mistyped, or what it showed is gone.">
      <p>
        <Link to={paths.overview}>Go to the overview</Link>
      </p>
    </Page>
  );
}
