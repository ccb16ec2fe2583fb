import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { findFirstOrganization } from '../organization/queries.ts';
import { ApiError } from '../platform/errors.ts';
import { enumeration, nullable, time } from '../platform/http/schema.ts';
import { formatTime } from '../platform/times.ts';
import { checkNames, checkStates, worstOf } from './check.ts';
import { runChecks } from './run-checks.ts';

const state = enumeration([...checkStates], {
  $id: 'CheckState',
  description: '`warning`: it works, and somebody should look. `failed`: it does not work, or data may be lost.',
});

const InstallationCheck = Type.Object(
  {
    name: enumeration([...checkNames], { $id: 'CheckName', description: 'The part of the installation.' }),
    state,
    summary: Type.String({ description: 'The result of the check, as a sentence.' }),
    action: nullable(Type.String({ description: 'The next step; null when it is `ok`.' })),
  },
  { $id: 'InstallationCheck', description: 'The result of checking one part of the installation.' },
);

const Installation = Type.Object(
  {
    state,
    checked_at: time('When it was checked.'),
    checks: Type.Array(InstallationCheck),
  },
  {
    $id: 'Installation',
    description: 'The state of the installation: the most severe of its checks, and each of them.',
  },
);

const example = {
  state: 'warning' as const,
  checked_at: '2026-01-15T09:30:00Z',
  checks: [
    { name: 'database' as const, state: 'ok' as const, summary: 'The database responds.', action: null },
    {
      name: 'backup' as const,
      state: 'warning' as const,
      summary: 'There is no backup yet.',
      action: 'Set ASSAY_BACKUP_DIR for one each day. "assay backup FOLDER" makes one now.',
    },
  ],
};

const checkInstallation = defineRoute({
  method: 'GET',
  path: '/organization/installation',
  operationId: 'checkInstallation',
  tag: 'Organization',
  summary: 'Check the installation',
  description:
    'Checks the room on disks, clocks, backups, jobs, schedules, the schema, roles, replicas and feeds, and says what to do. For owners of the organization that was created first, which runs the installation; `assay doctor` says the same at the command line, also when the service does not run.',
  extension: true,
  permission: { role: 'owner', scope: 'organization:read' },
  responses: { 200: { schema: Installation, description: 'The results of all checks.', example } },
  errors: ['forbidden'],
  handler: async ({ actor, context: { database, checked }, request }) => {
    if ((await findFirstOrganization(database)) !== actor.orgId) {
      throw new ApiError('forbidden', 'Only owners of the organization that runs this installation can check it.');
    }
    const checks = await runChecks({ ...checked, database }, (error) => {
      request.log.warn({ err: error }, 'A check of the installation failed.');
      return 'the log of the service says why, under this request.';
    });
    return { state: worstOf(checks), checked_at: formatTime(new Date()), checks };
  },
});

export const operationRoutes = [checkInstallation];
