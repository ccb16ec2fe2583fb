import { Page } from '../../ui/page.tsx';

export default function FindingPage() {
  return <Page title="Finding">{null}</Page>;
}
