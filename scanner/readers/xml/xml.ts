import { SaxesParser } from 'saxes';
import type { Chunks } from '../format.ts';
import { endsEarly, FormatError } from '../format-error.ts';
import { maxTextBytes, maxValueBytes } from '../value-limits.ts';

/** An element with its content. Names have no prefix; `text` is the element's own text, trimmed. */
export type XmlElement = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };

/** `item` is a wanted element with its path; `end` closes an element on the path to one. */
export type XmlEvent =
  | { kind: 'start'; path: string; attributes: Record<string, string> }
  | { kind: 'item'; path: string; element: XmlElement; line: number }
  | { kind: 'end'; path: string };

const maxDepth = 256;
const maxAttributes = 1_000;
/** The memory that an element takes besides its text. */
const elementWeight = 200;

/** The start of an entity declaration. No format needs any, so a file with one is hostile. */
const entityDeclaration = /<!ENTITY/i;

/**
 * Streams the elements whose path (`bom/vulnerabilities/vulnerability`) is `wanted`, each as a tree; `start` and `end`
 * events for the elements above them. Entities other than XML's own five are refused. Throws FormatError with the line.
 */
export async function* readXml(chunks: Chunks, wanted: ReadonlySet<string>): AsyncGenerator<XmlEvent> {
  const parser = new SaxesParser();
  let events: XmlEvent[] = [];
  const names: string[] = [];
  const open: XmlElement[] = [];
  let size = 0;
  /** Bytes since the last tag: the parser keeps an endless text, comment or attribute in memory. */
  let unbroken = 0;
  /** The number of attributes of the current tag. */
  let attributes = 0;
  const refuse = (sentence: string): never => {
    throw new FormatError(sentence, { line: parser.line, column: parser.column + 1 });
  };
  const grow = (by: number) => {
    size += by;
    if (size > maxValueBytes) refuse(`One element is larger than ${maxValueBytes / 1024 / 1024} MiB.`);
  };
  const onText = (value: string) => {
    const element = open.at(-1);
    if (!element) return;
    const kept = value.slice(0, Math.max(0, maxTextBytes - element.text.length));
    grow(kept.length);
    element.text += kept;
  };
  let isAtEnd = false;
  parser.on('error', () => refuse(isAtEnd ? endsEarly : 'This is not well-formed XML.'));
  parser.on('doctype', (doctype) => {
    if (entityDeclaration.test(doctype)) refuse('The XML defines entities of its own; such files are not read.');
  });
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('attribute', ({ value }) => {
    attributes += 1;
    if (attributes > maxAttributes) refuse(`An element has more than ${maxAttributes} attributes.`);
    if (open.length > 0) grow(value.length);
  });
  parser.on('opentag', (tag) => {
    unbroken = 0;
    attributes = 0;
    const name = localName(tag.name);
    names.push(name);
    if (names.length > maxDepth) refuse(`Elements are nested more than ${maxDepth} deep.`);
    const path = names.join('/');
    const values = attributesOf(tag.attributes);
    if (open.length === 0 && !wanted.has(path)) {
      events.push({ kind: 'start', path, attributes: values });
      return;
    }
    if (open.length === 0) size = 0;
    grow(elementWeight + tag.name.length);
    const element: XmlElement = { name, attributes: values, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    unbroken = 0;
    const path = names.join('/');
    names.pop();
    const element = open.pop();
    if (!element) events.push({ kind: 'end', path });
    else {
      element.text = element.text.trim();
      if (open.length === 0) events.push({ kind: 'item', path, element, line: parser.line });
    }
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    unbroken += chunk.length;
    if (unbroken > maxValueBytes) refuse(`Nothing ends within ${maxValueBytes / 1024 / 1024} MiB.`);
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* events;
    events = [];
  }
  parser.write(decoder.decode());
  isAtEnd = true;
  parser.close();
  yield* events;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Attributes by local name; namespace declarations keep their full name. */
function attributesOf(attributes: Record<string, string | { value: string }>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.startsWith('xmlns') ? name : localName(name),
      typeof value === 'string' ? value : value.value,
    ]),
  );
}

/** The first child of this name. */
export const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((one) => one.name === name);

/** All children of this name. */
export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((one) => one.name === name) ?? [];

/** The text of the first child of this name; undefined if there is none or it is empty. */
export const childText = (element: XmlElement | undefined, name: string): string | undefined =>
  child(element, name)?.text || undefined;
