import type { Role } from '@assay/client';

export const roleWords: Record<Role, string> = {
  viewer: 'Reads findings, scans, reports, data sources and members.',
  developer: 'Also comments, sets findings in progress and requests decisions.',
  analyst: 'Triages findings, comments, scans, imports results, creates reports and shares views.',
  admin: 'Manages data sources, schedules, members and invitations, and reads the audit log.',
  owner: 'Also adds and removes owners.',
};

export const roles = Object.keys(roleWords) as Role[];

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const roleOptions = roles.map((role) => ({ value: role, label: capitalized(role) }));
