import { Page } from '../../ui/page.tsx';

export default function StartPage() {
  return <Page title="Start">{null}</Page>;
}
