import { isFalse, isTrue } from '../value.ts';
import type { attributeRule } from './terraform-helpers.ts';

const unencrypted = 'Anyone who obtains the disk, a copy or a backup can read everything on it.';
export const open = 'It can be reached from the Internet, so anyone can exploit a weak password or a vulnerability.';
export const oldTls =
  /^(?:TLS1_0|TLS1_1|TLSv1|TLSv1_2016|TLSv1\.1_2016|SSLv3|1\.0|1\.1|Tls10|Tls11|TLS_1_0|TLS_1_1|ELBSecurityPolicy-(?:2016-08|2015-05|TLS-1-0-2015-04|TLS-1-1-2017-01|FS-2018-06|FS-1-1-2019-08))$/i;

export type Row = Parameters<typeof attributeRule>[0];
export const encrypted = (row: Pick<Row, 'id' | 'title' | 'types' | 'attribute' | 'knownAs'> & Partial<Row>): Row => ({
  severity: 'medium',
  cwe: ['CWE-311'],
  risk: unencrypted,
  isWrong: isFalse,
  isMissingWrong: true,
  remediation: `Set \`${row.attribute} = true\` (and use your own key if the provider must not hold it).`,
  matches: ['', row.attribute.includes('.') ? '' : `${row.attribute} = false`],
  misses: row.attribute.includes('.') ? [] : [`${row.attribute} = true`, `${row.attribute} = var.encrypt`],
  ...row,
});
export const exposed = (row: Pick<Row, 'id' | 'title' | 'types' | 'attribute' | 'knownAs'> & Partial<Row>): Row => ({
  severity: 'high',
  cwe: ['CWE-284', 'CWE-668'],
  risk: open,
  isWrong: isTrue,
  isMissingWrong: false,
  remediation: `Set \`${row.attribute} = false\` and allow access only from its own network.`,
  matches: [`${row.attribute} = true`],
  misses: [`${row.attribute} = false`, ''],
  ...row,
});
