import { Page } from '../../ui/page.tsx';

export default function DataSourcesPage() {
  return <Page title="Data sources">{null}</Page>;
}
