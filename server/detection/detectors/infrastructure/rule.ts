import type { Severity } from '../../../findings/severity.ts';
import type { Dockerfile } from './dockerfile.ts';
import type { TerraformBlock } from './terraform.ts';
import type { YamlDocument } from './yaml-documents.ts';

/** The kinds of files that are read, and what their rules look at. */
export type FileContents = {
  dockerfile: Dockerfile;
  compose: YamlDocument;
  kubernetes: YamlDocument[];
  terraform: TerraformBlock[];
  'github-actions': YamlDocument;
  'gitlab-ci': YamlDocument;
};
export type FileKind = keyof FileContents;

/** One problem in one file. Lines count from 1; `endLine` is the last one. */
export type Sight = {
  /**
   * What it is about, by names and never by lines: `Deployment/web container app`, `stage build`, `job test step 2`.
   * With the rule and the path it is the problem's identity; what follows a line break is a part of that which is not shown.
   */
  resource: string;
  startLine: number;
  endLine: number;
  evidence: string;
};

/** A check, with the names under which others know it, and its own proof: whole files that it finds and files that it passes over. */
export type InfrastructureRule<Kind extends FileKind = FileKind> = {
  id: string;
  kind: Kind;
  title: string;
  severity: Severity;
  cwe: string[];
  /** What Checkov (CKV_…) and Trivy (AVD-…) call it, and numbers of the CIS benchmarks. */
  knownAs: string[];
  risk: string;
  remediation: string;
  references: string[];
  find(contents: FileContents[Kind]): Sight[];
  matches: string[];
  misses: string[];
};

/** For lists of rules of one kind. */
export const rulesOf =
  <Kind extends FileKind>(kind: Kind, references: string[]) =>
  (
    rule: Omit<InfrastructureRule<Kind>, 'kind' | 'references'> & { references?: string[] },
  ): InfrastructureRule<Kind> => ({
    ...rule,
    kind,
    references: rule.references ?? references,
  });
