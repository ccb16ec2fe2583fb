import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { weaknesses } from '../identifiers.ts';
import { type JsonEvent, type JsonObject, type JsonPath, requiredText, requireRootMember } from '../json/json.ts';
import { type Groups, readGroups } from '../json/json-groups.ts';
import { packageResult, purlType } from '../package-result.ts';
import { filePath } from '../paths.ts';
import { secretResult } from '../secret-result.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { firstText, number, object, objects, position, text, texts } from '../values.ts';

const source = 'trivy';

/**
 * Trivy's JSON: vulnerabilities, misconfigurations, secrets and licenses of each target; also its older form, an array
 * of targets, and the reports of `trivy kubernetes`, with the findings of each resource.
 *
 * Severity: the one that Trivy chose (by the vendor that knows the package best), not the CVSS score. A vulnerability's
 * identity omits the target for operating system packages, since it contains the image's tag. Misconfigurations that
 * passed and results that `ExperimentalModifiedFindings` lists as ignored are left out; licenses count only above low.
 */
export const trivy: Format = {
  name: 'trivy',
  title: 'Trivy',
  recognise(head) {
    if (hasPaths(head, 'SchemaVersion') && (hasPaths(head, 'ArtifactName') || hasPaths(head, 'Results'))) return 1;
    if (hasPaths(head, 'ClusterName') && (head.paths.size === 1 || clusterLists.some((list) => hasPaths(head, list))))
      return 0.9;
    return hasPaths(head, '[].Target') || head.paths.has('Results[].Target')
      ? 0.9
      : head.text.trim() === 'null'
        ? 0.5
        : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const watch = (event: JsonEvent) => {
      targets.watch(event);
      if (event.kind === 'item' && event.pattern === version) context.version(source, event.value);
      if (event.kind === 'item' && event.pattern.endsWith('].Error') && text(event.value))
        context.incomplete('Trivy could not scan all resources of the cluster.');
    };
    for await (const { group, list, value, path } of readGroups(chunks, { ...targets, watch })) {
      if (list === null) requiredText(group, 'Target', path);
      else if (isProblem(list, value)) yield readers[list]!(value, path, group, context);
    }
  },
};

/** Added in version 0.68. */
const version = 'Trivy.Version';

/** Where `trivy kubernetes` lists resources: with all results, in the summary, and before version 0.40. */
const clusterLists = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'];

const targets: Groups = {
  at: ['Results[*]', '[*]', ...clusterLists.map((list) => `${list}[*].Results[*]`)],
  within: { at: clusterLists.map((list) => `${list}[*]`), members: ['Namespace', 'Kind', 'Name', 'Error'] },
  members: ['Target', 'Class', 'Type'],
  lists: ['Vulnerabilities', 'Misconfigurations', 'Secrets', 'Licenses'],
  isKnown: (target) =>
    text(target.Target) !== undefined && text(target.Type) !== undefined && text(target.Class) !== undefined,
  watched: [version],
  watch: (event) => {
    if (event.pattern === '')
      requireRootMember(event, ['SchemaVersion', 'Results', 'ArtifactName', 'ClusterName'], 'Trivy');
  },
};

/** `namespace/Kind/name` for a resource of a cluster. */
function resourceOf(target: JsonObject): string | undefined {
  if (text(target.Kind) === undefined || text(target.Name) === undefined) return undefined;
  return [text(target.Namespace), target.Kind, target.Name].filter(Boolean).join('/');
}

/** Operating system packages have no file: their target contains the image's tag. */
function manifestOf(file: unknown, target: JsonObject): string | undefined {
  const own = firstText(file, target.Class === 'os-pkgs' ? undefined : target.Target);
  return [resourceOf(target), own].filter(Boolean).join('/') || undefined;
}

const readers: Record<
  string,
  (found: JsonObject, path: JsonPath, target: JsonObject, context: ReadContext) => ReadDetection
> = {
  Vulnerabilities: vulnerability,
  Misconfigurations: misconfiguration,
  Secrets: secret,
  Licenses: license,
};

function isProblem(list: string, found: JsonObject): boolean {
  if (list === 'Misconfigurations') return found.Status === undefined || found.Status === 'FAIL';
  return list !== 'Licenses' || !['info', 'low'].includes(severityOf(found.Severity, undefined));
}

function vulnerability(found: JsonObject, path: JsonPath, target: JsonObject): ReadDetection {
  const purl = text(object(found.PkgIdentifier).PURL);
  const score = bestScore(object(found.CVSS), text(found.SeveritySource));
  return packageResult({
    source,
    advisory: requiredText(found, 'VulnerabilityID', path),
    aliases: texts(found.VendorIDs),
    ecosystem: purlType(purl) || firstText(target.Type) || '',
    name: requiredText(found, 'PkgName', path),
    version: text(found.InstalledVersion),
    fixedVersion: text(found.FixedVersion),
    purl,
    manifest: manifestOf(found.PkgPath, target),
    title: text(found.Title),
    description: text(found.Description),
    severity: severityOf(found.Severity, score),
    score,
    weaknesses: weaknesses(texts(found.CweIDs)),
    url: text(found.PrimaryURL),
    references: texts(found.References),
  });
}

/** CVSS 4 or 3 from the source of the severity, otherwise NVD's, otherwise any; version 2 only if there is no other. */
function bestScore(scores: JsonObject, preferred: string | undefined): number | undefined {
  const order = [preferred, 'nvd', 'ghsa', ...Object.keys(scores).sort()].filter((name) => name !== undefined);
  for (const version of ['V40Score', 'V3Score', 'V2Score']) {
    for (const name of order) {
      const score = cvssScore(number(object(scores[name])[version]));
      if (score !== undefined) return score;
    }
  }
  return undefined;
}

function misconfiguration(found: JsonObject, path: JsonPath, target: JsonObject, context: ReadContext): ReadDetection {
  const cause = object(found.CauseMetadata);
  const id = firstText(found.AVDID, found.ID) ?? requiredText(found, 'ID', path);
  const code = objects(object(cause.Code).Lines).map((line) => text(line.Content) ?? '');
  return codeResult(
    {
      source,
      title: firstText(found.Title, found.Message) ?? id,
      description: [text(found.Description), text(found.Message)].filter(Boolean).join('\n\n'),
      severity: severityOf(found.Severity, undefined),
      rule: { id, name: text(found.Title), url: text(found.PrimaryURL) },
      location: {
        path: filePath(resourceOf(target) ?? text(target.Target)),
        start_line: position(cause.StartLine),
        end_line: position(cause.EndLine),
      },
      content: [text(cause.Resource), ...code].filter(Boolean).join('\n') || undefined,
      instead: text(found.Message),
      remediation: text(found.Resolution),
      references: texts(found.References),
    },
    context,
  );
}

function secret(found: JsonObject, path: JsonPath, target: JsonObject, context: ReadContext): ReadDetection {
  const id = requiredText(found, 'RuleID', path);
  return secretResult(
    {
      source,
      rule: { id, name: text(found.Title) },
      // Trivy replaces the secret with asterisks.
      secret: undefined,
      line: text(found.Match),
      path: [resourceOf(target), text(target.Target)].filter(Boolean).join('/') || undefined,
      startLine: position(found.StartLine),
      endLine: position(found.EndLine),
      severity: severityOf(found.Severity, undefined, 'high'),
    },
    context,
  );
}

function license(found: JsonObject, path: JsonPath, target: JsonObject): ReadDetection {
  const name = requiredText(found, 'Name', path);
  const where = firstText(found.PkgName, found.FilePath) ?? '';
  const manifest = filePath(manifestOf(found.FilePath, target));
  return {
    source,
    identity: ['license', name, where, manifest ?? ''],
    equals: 'places',
    title: `License ${name}${where && ` of ${where}`}`,
    description: `The license category is “${text(found.Category) ?? 'unknown'}”.`,
    severity: severityOf(found.Severity, undefined),
    rule: { id: `license:${name}`, name: `License ${name}`, url: text(found.Link) },
    location: { path: manifest },
  };
}
