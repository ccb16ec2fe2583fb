import { paths } from '../paths.ts';
import type { Icon } from '../ui/button.tsx';
import {
  IconActivity,
  IconBuilding,
  IconCalendarClock,
  IconDatabase,
  IconGauge,
  IconGavel,
  IconHistory,
  IconReport,
  IconShieldSearch,
} from '../ui/icons.ts';

export type NavigationEntry = {
  path: string;
  label: string;
  icon: Icon;
  /** The key that goes there after `g`. */
  key?: string;
  /** The permission that is required to see the entry. */
  permission: string;
  /** Whether the entry is in the bar of narrow screens, which has room for four and a menu with the others. */
  bar?: boolean;
  /** Whether the entry is below the divider. */
  second?: boolean;
};

export const navigation: NavigationEntry[] = [
  { path: paths.overview, label: 'Overview', icon: IconGauge, key: 'o', bar: true, permission: 'findings:read' },
  { path: paths.findings, label: 'Findings', icon: IconShieldSearch, key: 'f', bar: true, permission: 'findings:read' },
  { path: paths.decisions, label: 'Decisions', icon: IconGavel, key: 'e', bar: true, permission: 'findings:read' },
  { path: paths.scans, label: 'Scans', icon: IconActivity, key: 's', bar: true, permission: 'scans:read' },
  {
    path: paths.dataSources,
    label: 'Data sources',
    icon: IconDatabase,
    key: 'd',
    permission: 'sources:read',
  },
  { path: paths.schedules, label: 'Schedules', icon: IconCalendarClock, permission: 'scans:read' },
  { path: paths.reports, label: 'Reports', icon: IconReport, key: 'r', permission: 'reports:read' },
  {
    path: paths.organization,
    label: 'Organization',
    icon: IconBuilding,
    permission: 'organization:read',
    second: true,
  },
  { path: paths.audit, label: 'Audit', icon: IconHistory, key: 'a', permission: 'audit:read', second: true },
];
