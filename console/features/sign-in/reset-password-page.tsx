import { Page } from '../../ui/page.tsx';

export default function resetpasswordPage() {
  return <Page title="reset-password">{null}</Page>;
}
