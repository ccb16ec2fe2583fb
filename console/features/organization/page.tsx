import { Page } from '../../ui/page.tsx';

export default function OrganizationPage() {
  return <Page title="Organization">{null}</Page>;
}
