import type { Severity } from '../../../findings/severity.ts';
import type { Page, PageSample } from './page.ts';
import type { TlsReport } from './tls-report.ts';

/** What a finding of a rule tells a person. `risk` says what follows from it, in a sentence or two. */
export type WebRule = {
  id: string;
  title: string;
  severity: Severity;
  /** Such as `CWE-319`. */
  cwe: string[];
  risk: string;
  remediation: string;
  references: string[];
};

/** One problem on one site. `key` tells it from others of the same rule: a cookie's name, a path, a header's parameter. */
export type Sight = { key?: string; evidence: string; url?: string };

/** What was asked for: the site's page, what redirected to it, it again as another site, a path that nobody has, a directory. */
export type Asked = 'page' | 'redirect' | 'foreign' | 'missing' | 'directory';

/** A rule over one answer of the site, with its own proof. */
export type PageRule = WebRule & {
  /** The answers that it judges; the page alone where this is left out. */
  asked?: Asked[];
  find(page: Page): Sight[];
  matches: PageSample[];
  misses: PageSample[];
};

/** A rule over what the handshakes showed. The samples change a sound report. */
export type TlsRule = WebRule & {
  find(report: TlsReport): Sight[];
  matches: Partial<TlsReport>[];
  misses: Partial<TlsReport>[];
};

/** A file that should not be there: asked for by its path, believed by its content alone. */
export type FileRule = WebRule & {
  paths: string[];
  /** The first kilobytes of the body, one character per byte. */
  isExposed(body: string): boolean;
  /** What may be shown of it: never a secret. */
  show(body: string): string;
  matches: string[];
  misses: string[];
};
