import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText } from '../json/json.ts';
import { secretResult } from '../secret-result.ts';
import { position, text, texts } from '../values.ts';

const source = 'gitleaks';

/**
 * Gitleaks' JSON: version 8 (`RuleID`, `Secret`) and before (`rule`, `offender`), an array or one result per line.
 * Gitleaks reports no severity: all results are `high`. Among the few rules of the older versions, those for AWS,
 * GitHub and Heroku are `critical`, because their secrets give access to whole accounts. The secret itself is the
 * identity; with `--redact` it is the secret's line.
 */
export const gitleaks: Format = {
  name: 'gitleaks',
  title: 'Gitleaks',
  recognise(head) {
    const has = (...names: string[]) => names.every((name) => head.paths.has(`[].${name}`) || head.paths.has(name));
    return has('RuleID', 'Secret') || has('RuleID', 'Match', 'Commit') || has('offender', 'rule') ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['[*]'])) {
      if (event.kind === 'item') yield readLeak(objectAt(event.value, event.path), event.path, context);
    }
  },
};

function readLeak(leak: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  return 'RuleID' in leak ? newForm(leak, path, context) : oldForm(leak, path, context);
}

function newForm(leak: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const description = text(leak.Description);
  return secretResult(
    {
      source,
      rule: { id: requiredText(leak, 'RuleID', path), name: description?.split(/[.\n]/)[0], tags: texts(leak.Tags) },
      secret: text(leak.Secret),
      line: text(leak.Match),
      path: text(leak.SymlinkFile) ?? text(leak.File),
      startLine: position(leak.StartLine),
      endLine: position(leak.EndLine),
      startColumn: position(leak.StartColumn),
      endColumn: position(leak.EndColumn),
      commit: text(leak.Commit),
      url: text(leak.Link),
      severity: 'high',
      description,
    },
    context,
  );
}

function oldForm(leak: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const name = requiredText(leak, 'rule', path);
  return secretResult(
    {
      source,
      rule: { id: name, name, tags: texts(leak.tags) },
      secret: text(leak.offender),
      line: text(leak.line),
      path: text(leak.file),
      startLine: position(leak.lineNumber),
      commit: text(leak.commit),
      url: text(leak.leakURL),
      severity: /\b(aws|github|heroku)\b/i.test(name) ? 'critical' : 'high',
      description: texts(leak.tags).length > 0 ? `${name} (${texts(leak.tags).join(', ')}).` : undefined,
    },
    context,
  );
}
