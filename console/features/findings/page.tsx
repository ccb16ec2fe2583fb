import { Page } from '../../ui/page.tsx';

export default function FindingsPage() {
  return <Page title="Findings">{null}</Page>;
}
