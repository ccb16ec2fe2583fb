import Type from 'typebox';
import { Kind } from '../../data-sources/data-source-schema.ts';
import { enumeration, idOf, nullable, time } from '../../platform/http/schema.ts';
import { ScanStatus, scanExample } from './scan-schema.ts';

export const DetectionSource = Type.Object(
  {
    type: Type.String({ description: 'Its name in paths and filters.' }),
    name: Type.String(),
    description: Type.String(),
    mode: enumeration(['scan', 'push'] as const, {
      $id: 'DetectionSourceMode',
      description: '`scan`: run by the platform; `push`: its results come in by import.',
    }),
    status: enumeration(['connected', 'unavailable'] as const, { $id: 'DetectionSourceStatus' }),
    status_reason: nullable(Type.String({ description: 'Why it is unavailable.' })),
    version: nullable(Type.String()),
    install_command: nullable(
      Type.String({
        description:
          'The command that installs its program, run on the server in the folder of Assay; null when the program is there, or has to be installed in another way. An extension.',
      }),
    ),
    sandbox: nullable(
      Type.Object(
        {
          status: enumeration(['active', 'partial', 'none', 'off'] as const, {
            $id: 'SandboxStatus',
            description:
              '`active`: they read and write only what they are given, and reach no network but the egress proxy; `partial`: as `reason` says; `none`: the machine does not allow it; `off`: the operator switched it off.',
          }),
          kind: nullable(
            enumeration(['bubblewrap', 'user_namespace'] as const, {
              $id: 'SandboxKind',
              description: 'The mechanism that confines them; null when nothing does.',
            }),
          ),
          reason: nullable(Type.String({ description: 'Why they are not confined, or only in part.' })),
        },
        {
          $id: 'Sandbox',
          description:
            'The confinement of the programs that the source starts on the worker; with several workers, on the one that confines them least. Null when it starts none, or no worker has reported it. An extension.',
        },
      ),
    ),
    data_source_kinds: Type.Array(Kind),
    open_findings: Type.Integer({ minimum: 0 }),
    last_scan: nullable(
      Type.Object({ id: idOf('scan'), status: ScanStatus, completed_at: nullable(time()) }, { $id: 'LastScan' }),
    ),
  },
  { $id: 'DetectionSource' },
);

export const sourceExample = {
  type: 'secrets',
  name: 'Secrets',
  description: 'Credentials in the files, the history and the commit messages of git repositories.',
  mode: 'scan',
  status: 'connected',
  status_reason: null,
  version: '1.0.0',
  install_command: null,
  sandbox: { status: 'active', kind: 'bubblewrap', reason: null },
  data_source_kinds: ['git_repository'],
  open_findings: 12,
  last_scan: { id: scanExample.id, status: 'completed', completed_at: '2026-02-01T02:00:07Z' },
} as const;
