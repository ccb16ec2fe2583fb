import type { Suppression } from '../../contract/suppression.ts';
import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { weaknesses } from '../identifiers.ts';
import { filePath } from '../paths.ts';
import { severityOf } from '../severity-words.ts';
import { position } from '../values.ts';
import { child, childrenOf, childText, readXml, type XmlElement } from '../xml/xml.ts';

const source = 'checkmarx';

type Attributes = Record<string, string>;

/**
 * Checkmarx SAST's XML report (`CxXMLResults`, as Checkmarx documents it in “XML Report”). One finding for each result,
 * at the last node of its path, where the value does harm. Identity: query and Checkmarx's own SimilarityID, which does
 * not depend on line numbers. “Not exploitable” is a false positive.
 */
export const checkmarx: Format = {
  name: 'checkmarx',
  title: 'Checkmarx SAST',
  recognise: (head) => (head.element === 'CxXMLResults' ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    let query: Attributes = {};
    for await (const event of readXml(chunks, new Set(['CxXMLResults/Query/Result']))) {
      if (event.kind === 'start' && !event.path.startsWith('CxXMLResults'))
        throw new FormatError('This is not a file of Checkmarx: its root is not “CxXMLResults”.', { line: 1 });
      if (event.kind === 'start' && event.path === 'CxXMLResults')
        context.version(source, event.attributes.CheckmarxVersion);
      if (event.kind === 'start' && event.path === 'CxXMLResults/Query') query = event.attributes;
      if (event.kind === 'item') yield readResult(event.element, query, event.line, context);
    }
  },
};

function readResult(result: XmlElement, query: Attributes, line: number, context: ReadContext): ReadDetection {
  const { attributes } = result;
  const name = query.name?.replaceAll('_', ' ');
  if (!name) throw new FormatError('A Query must have a “name”.', { line });
  const path = child(result, 'Path');
  const nodes = childrenOf(path, 'PathNode');
  const end = nodes.at(-1);
  const file = filePath((end && childText(end, 'FileName')) || attributes.FileName);
  const at = position((end && childText(end, 'Line')) || attributes.Line);
  const detection = codeResult(
    {
      source,
      title: name,
      description: [
        query.group && `${query.group.replaceAll('_', ' ')} (${query.Language ?? 'code'}).`,
        nodes.length > 1 && `The value's path:\n${nodes.slice(0, 50).map(nodeName).join('\n')}`,
      ]
        .filter(Boolean)
        .join('\n\n'),
      severity: severityOf(attributes.Severity || query.Severity, undefined, 'medium'),
      rule: { id: query.id || name, name },
      location: {
        path: file,
        start_line: at,
        end_line: at,
        start_column: at && position(end && childText(end, 'Column')),
      },
      content: snippetOf(end),
      instead: name,
      identifiers: weaknesses(query.cweId ? [query.cweId] : []),
      references: attributes.DeepLink ? [attributes.DeepLink] : [],
      suppression: suppressionOf(attributes),
    },
    context,
  );
  const similarity = path?.attributes.SimilarityId;
  if (!similarity || similarity === '0') return detection;
  return { ...detection, identity: ['checkmarx', query.id || name, similarity], equals: 'places' };
}

const nodeName = (node: XmlElement): string =>
  `- \`${childText(node, 'Name') ?? '?'}\` in ${filePath(childText(node, 'FileName')) ?? '?'}, line ${childText(node, 'Line') ?? '?'}`;

const snippetOf = (node: XmlElement | undefined): string | undefined =>
  childrenOf(child(node, 'Snippet'), 'Line')
    .map((line) => childText(line, 'Code'))
    .filter((code) => code !== undefined)
    .join('\n') || undefined;

function suppressionOf({ FalsePositive, state, Remark }: Attributes): Suppression | undefined {
  // 1 is “Not exploitable”; FalsePositive says the same.
  if (state !== '1' && FalsePositive !== 'True') return undefined;
  return { status: 'false_positive', reason: `Not exploitable, says Checkmarx${Remark ? `: ${Remark}` : '.'}` };
}
