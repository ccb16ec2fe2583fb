import { Page } from '../../ui/page.tsx';

export default function ScansPage() {
  return <Page title="Scans">{null}</Page>;
}
