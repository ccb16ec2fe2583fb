import { Page } from '../../ui/page.tsx';

export default function confirmemailPage() {
  return <Page title="confirm-email">{null}</Page>;
}
