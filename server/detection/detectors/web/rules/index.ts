import type { PageRule, TlsRule, WebRule } from '../rule.ts';
import { certificateRules } from './certificate-rules.ts';
import { contentRules } from './content-rules.ts';
import { cookieRules } from './cookie-rules.ts';
import { cspRules } from './csp-rules.ts';
import { fileRules } from './file-rules.ts';
import { headerRules } from './header-rules.ts';
import { sharingRules } from './sharing-rules.ts';
import { siteRules } from './site-rules.ts';
import { protocolRules } from './tls-rules.ts';
import { transportRules } from './transport-rules.ts';

export const tlsRules: TlsRule[] = [...protocolRules, ...certificateRules];
export const pageRules: PageRule[] = [
  ...transportRules,
  ...headerRules,
  ...cspRules,
  ...cookieRules,
  ...contentRules,
  ...sharingRules,
];
export { fileRules };
export const allRules: WebRule[] = [...tlsRules, ...pageRules, ...fileRules, ...Object.values(siteRules)];
