import { Page } from '../../ui/page.tsx';

export default function acceptinvitationPage() {
  return <Page title="accept-invitation">{null}</Page>;
}
