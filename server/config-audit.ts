import { fail, type Read, url } from './config-values.ts';
import type { AuditHeadsConfig } from './organization/audit/heads/channels.ts';

const syslogPorts = { 'udp:': 514, 'tcp:': 601, 'tls:': 6514 };

function syslogAddress(text: string): NonNullable<AuditHeadsConfig['syslog']> {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  const port = syslogPorts[parsed?.protocol as keyof typeof syslogPorts];
  const isPlain =
    parsed?.username === '' && /^\/?$/.test(parsed.pathname) && parsed.search === '' && parsed.hash === '';
  if (!parsed || port === undefined || parsed.hostname === '' || !isPlain) {
    return fail('must be an address such as tls://logs.example.com:6514, with udp, tcp or tls.');
  }
  const transport = parsed.protocol.slice(0, -1) as 'udp' | 'tcp' | 'tls';
  return { transport, host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(parsed.port) || port };
}

const bearerToken = (text: string) =>
  /^[\x21-\x7e]{16,1000}$/.test(text) ? text : fail('must have at least 16 characters, without blanks.');

export function readAuditHeads(read: Read, errors: string[], absolute: (path: string) => string): AuditHeadsConfig {
  const webhook = read<string | null>(
    'ASSAY_AUDIT_WEBHOOK',
    null,
    url(['http:', 'https:'], 'https://logs.example.com'),
  );
  const token = read<string | null>('ASSAY_AUDIT_WEBHOOK_TOKEN', null, bearerToken);
  const authority = read<string | null>(
    'ASSAY_AUDIT_TIMESTAMP',
    null,
    url(['http:', 'https:'], 'http://timestamp.example.com'),
  );
  const caFile = read<string | null>('ASSAY_AUDIT_TIMESTAMP_CA', null, absolute);
  if (token !== null && webhook === null) {
    errors.push('ASSAY_AUDIT_WEBHOOK: must be set when ASSAY_AUDIT_WEBHOOK_TOKEN is.');
  }
  if (authority !== null && caFile === null) {
    errors.push(
      'ASSAY_AUDIT_TIMESTAMP_CA: must be set when ASSAY_AUDIT_TIMESTAMP is: a file with the certificates of its CA in PEM.',
    );
  }
  return {
    syslog: read<AuditHeadsConfig['syslog']>('ASSAY_AUDIT_SYSLOG', null, syslogAddress),
    webhook: webhook === null ? null : { url: webhook, token },
    timestamps: authority === null || caFile === null ? null : { url: authority, caFile },
    timestampCaFile: caFile,
  };
}
