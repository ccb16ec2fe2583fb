import type { Confidence } from '../../contract/confidence.ts';
import type { Severity } from '../../contract/severity.ts';
import type { Dockerfile } from './dockerfile.ts';
import type { TerraformBlock } from './terraform.ts';
import type { YamlDocument } from './yaml-documents.ts';

/** The kinds of files, each with the form in which its rules receive it. */
export type FileContents = {
  dockerfile: Dockerfile;
  compose: YamlDocument;
  kubernetes: YamlDocument[];
  terraform: TerraformBlock[];
  cloudformation: TerraformBlock[];
  'github-actions': YamlDocument;
  'gitlab-ci': YamlDocument;
};
export type FileKind = keyof FileContents;

/** A problem in a file. Lines count from 1; `endLine` is inclusive. */
export type Sight = {
  /**
   * The affected resource, by names and never by lines: `Deployment/web container app`, `stage build`, `job test step
   * 2`. Identifies the problem together with the rule and the path. Text after a line break is part of the identity but
   * is not shown.
   */
  resource: string;
  /** The file, for rules that cover several files. */
  path?: string;
  startLine: number;
  endLine: number;
  evidence: string;
  /** The images of a workload, without their versions: together with the resource, they identify it in other manifests. */
  images?: string;
  /** The names in other tools, if the rule has names for several parts and only some of them are wrong. */
  knownAs?: string[];
};

/** A check, with its names in other tools, and examples that prove it: whole files that match and files that don't. */
export type InfrastructureRule<Kind extends FileKind = FileKind> = {
  id: string;
  kind: Kind;
  title: string;
  severity: Severity;
  /** `high` by default: the file itself has the setting. */
  confidence?: Confidence;
  cwe: string[];
  /** The check's ids in Checkov (CKV_…) and Trivy (AVD-…), and its numbers in the CIS benchmarks. */
  knownAs: string[];
  /** The same names, some of which apply only to one type of resource: `CKV_AWS_139@aws_rds_cluster`. */
  scopedNames?: string[];
  risk: string;
  remediation: string;
  references: string[];
  find(contents: FileContents[Kind]): Sight[];
  matches: string[];
  misses: string[];
};

/** Returns a function that builds rules of one kind. */
export const rulesOf =
  <Kind extends FileKind>(kind: Kind, references: string[]) =>
  (
    rule: Omit<InfrastructureRule<Kind>, 'kind' | 'references'> & { references?: string[] },
  ): InfrastructureRule<Kind> => ({
    ...rule,
    kind,
    references: rule.references ?? references,
  });
