import { Page } from '../../ui/page.tsx';

export default function SchedulesPage() {
  return <Page title="Schedules">{null}</Page>;
}
