import type { Severity } from '../../contract/severity.ts';
import type { Page, PageSample } from './page.ts';
import type { TlsReport } from './tls-report.ts';

/** The texts of a rule's findings. `risk` says what an attacker gains, in a sentence or two. */
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

/**
 * * A problem on a site. `key` distinguishes it from others of the same rule: a cookie's name, a path, a header's
 * parameter.
 */
export type Sight = { key?: string; evidence: string; url?: string };

/**
 * The request's purpose: the page, a redirect to it, the page from another origin, a path that does not exist, a
 * directory.
 */
export type Asked = 'page' | 'redirect' | 'foreign' | 'missing' | 'directory';

/** A rule for a response of the site, with examples that prove it. */
export type PageRule = WebRule & {
  /** The responses that the rule applies to; by default only the page. */
  asked?: Asked[];
  find(page: Page): Sight[];
  matches: PageSample[];
  misses: PageSample[];
};

/** A rule for the report on the TLS handshakes. The samples change a correct report. */
export type TlsRule = WebRule & {
  find(report: TlsReport): Sight[];
  matches: Partial<TlsReport>[];
  misses: Partial<TlsReport>[];
};

/** A file that should not be public: requested by its path, recognised only by its content. */
export type FileRule = WebRule & {
  paths: string[];
  /** Tests the first kilobytes of the body, one character per byte. */
  isExposed(body: string): boolean;
  /** Returns evidence that contains no secret. */
  show(body: string): string;
  matches: string[];
  misses: string[];
};
