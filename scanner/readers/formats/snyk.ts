import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, requiredText, requireRootMember } from '../json/json.ts';
import { type Groups, readGroups } from '../json/json-groups.ts';
import { packageResult } from '../package-result.ts';
import { filePath } from '../paths.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { firstText, list, number, object, objects, position, text, texts } from '../values.ts';

const source = 'snyk';

/**
 * `snyk test --json`, `snyk container test --json` and `snyk iac test --json`: one project or an array of them. (Snyk
 * Code writes SARIF.) One finding for each vulnerability, package and version of a project's file, regardless of the
 * number of paths to it: one of them is the evidence. Projects that have no file (images) or share one (Gradle, sbt)
 * are distinguished by name. Severity: Snyk's word.
 */
export const snyk: Format = {
  name: 'snyk',
  title: 'Snyk',
  recognise(head) {
    const has = (name: string) => hasPaths(head, name) || hasPaths(head, `[].${name}`);
    if (has('infrastructureAsCodeIssues') || has('vulnerabilities[].semver') || has('vulnerabilities[].upgradePath'))
      return 1;
    return has('vulnerabilities') && (has('dependencyCount') || has('packageManager')) ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const { group, list, value, path } of readGroups(chunks, projects)) {
      if (list === 'vulnerabilities') yield vulnerability(value, path, group);
      else if (list !== null) yield configuration(value, path, group, context);
      else if (group.error !== undefined) context.incomplete('Snyk could not test all projects.');
    }
  },
};

/** The name of a project's file follows its vulnerabilities, so they wait for the end of the project. */
const projects: Groups = {
  at: ['', '[*]'],
  members: ['displayTargetFile', 'targetFile', 'packageManager', 'projectName', 'path', 'error'],
  lists: ['vulnerabilities', 'infrastructureAsCodeIssues'],
  isKnown: () => false,
  watch: (event) =>
    requireRootMember(
      event,
      ['ok', 'dependencyCount', 'packageManager', 'infrastructureAsCodeIssues', 'error'],
      'Snyk',
    ),
};

function vulnerability(found: JsonObject, path: JsonPath, project: JsonObject): ReadDetection {
  const identifiers = object(found.identifiers);
  const id = requiredText(found, 'id', path);
  const score = cvssScore(number(found.cvssScore));
  const result = packageResult({
    source,
    advisory: id,
    aliases: [...texts(identifiers.CVE), ...texts(identifiers.GHSA)],
    ecosystem: firstText(found.packageManager, project.packageManager) ?? '',
    name: firstText(found.packageName, found.name, found.moduleName) ?? requiredText(found, 'packageName', path),
    version: text(found.version),
    fixedVersion: texts(found.fixedIn)[0],
    manifest: firstText(project.displayTargetFile, project.targetFile),
    title: text(found.title),
    description: text(found.description),
    severity: severityOf(firstText(found.severityWithCritical, found.severity), score),
    score,
    weaknesses: weaknesses(texts(identifiers.CWE)),
    url: `https://security.snyk.io/vuln/${encodeURIComponent(id)}`,
    references: objects(found.references).flatMap((reference) => texts(reference.url)),
  });
  const name = projectName(project);
  return {
    ...result,
    identity: name ? [...result.identity, name] : result.identity,
    evidence: texts(found.from).join(' > ') || undefined,
  };
}

/** The name of a project that its file does not identify; for an image, without its tag. */
function projectName(project: JsonObject): string | undefined {
  const file = firstText(project.displayTargetFile, project.targetFile);
  if (file !== undefined && !/gradle|sbt/i.test(text(project.packageManager) ?? '')) return undefined;
  const name = firstText(project.projectName, project.path);
  return name?.replace(/@sha256:[0-9a-f]+/i, '').replace(/:[^/:|]*(?=\||$)/, '');
}

function configuration(found: JsonObject, path: JsonPath, project: JsonObject, context: ReadContext): ReadDetection {
  const id = requiredText(found, 'id', path);
  const description = object(found.iacDescription);
  const where = list(found.path)
    .filter((part) => typeof part === 'string')
    .join('.');
  const result = codeResult(
    {
      source,
      title: text(found.title) ?? id,
      description: [text(description.issue), text(description.impact), where && `At \`${where}\`.`]
        .filter(Boolean)
        .join('\n\n'),
      severity: severityOf(found.severity, undefined, 'medium'),
      rule: { id, name: text(found.title), url: text(found.documentation) },
      location: {
        path: filePath(firstText(project.targetFile, project.displayTargetFile)),
        start_line: position(found.lineNumber),
        end_line: position(found.lineNumber),
      },
      content: undefined,
      remediation: firstText(description.resolve, found.resolve),
      references: texts(found.references),
    },
    context,
  );
  return where ? { ...result, identity: ['resource', id, result.location?.path ?? '', where] } : result;
}
