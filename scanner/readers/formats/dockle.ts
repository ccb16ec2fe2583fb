import type { Severity } from '../../contract/severity.ts';
import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { type JsonObject, type JsonPath, requiredText, requireRootMember } from '../json/json.ts';
import { type Groups, readGroups } from '../json/json-groups.ts';
import { text, texts } from '../values.ts';

const source = 'dockle';

const levels: Record<string, Severity> = { FATAL: 'high', WARN: 'medium', INFO: 'info' };

/**
 * Dockle's JSON (its source: `pkg/report/json.go`). One finding for each checkpoint of an image, whose alerts are its
 * evidence; the image's tag is not part of the identity. Checkpoints that passed or were ignored are not findings.
 */
export const dockle: Format = {
  name: 'dockle',
  title: 'Dockle',
  recognise: (head) => (hasPaths(head, 'summary.fatal', 'details') || hasPaths(head, 'details[].alerts') ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    for await (const { group, list, value, path } of readGroups(chunks, image)) {
      if (list !== null && levels[text(value.level) ?? '']) yield readCheck(value, path, text(group.image), context);
    }
  },
};

const image: Groups = {
  at: [''],
  members: ['image'],
  lists: ['details'],
  isKnown: (group) => group.image !== undefined,
  watch: (event) => requireRootMember(event, ['details'], 'Dockle'),
};

function readCheck(found: JsonObject, path: JsonPath, name: string | undefined, context: ReadContext): ReadDetection {
  const code = requiredText(found, 'code', path);
  const title = text(found.title) ?? code;
  const alerts = texts(found.alerts);
  const result = codeResult(
    {
      source,
      title,
      description: [title, name && `Image: \`${name}\``].filter(Boolean).join('\n\n'),
      severity: levels[text(found.level) ?? ''] ?? 'info',
      rule: {
        id: code,
        name: title,
        url: `https://github.com/goodwithtech/dockle/blob/master/CHECKPOINT.md#${encodeURIComponent(code.toLowerCase())}`,
      },
      content: alerts.join('\n'),
    },
    context,
  );
  return { ...result, identity: ['image', code, withoutTag(name)], equals: 'places' };
}

/** `registry:5000/shop:1.2@sha256:…` is `registry:5000/shop`. */
const withoutTag = (name = ''): string => name.replace(/@sha256:.*$/, '').replace(/:[^/:]*$/, '');
