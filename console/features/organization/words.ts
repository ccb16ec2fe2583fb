import type { Role } from '@assay/client';

export const roleWords: Record<Role, string> = {
  viewer: 'Reads findings, scans, reports, data sources and members.',
  developer: 'Also comments, takes findings into work and requests decisions.',
  analyst: 'Triages findings, comments, scans, imports results, makes reports and shares views.',
  admin: 'Manages data sources, schedules, members and invitations, and reads the audit log.',
  owner: 'Also makes and removes other owners.',
};

export const roles = Object.keys(roleWords) as Role[];

export const roleOptions = roles.map((role) => ({ value: role, label: role[0]!.toUpperCase() + role.slice(1) }));
