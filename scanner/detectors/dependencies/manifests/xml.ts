import { SaxesParser } from 'saxes';

export type XmlElement = {
  /** The name without the namespace prefix. */
  name: string;
  attributes: Record<string, string>;
  /** The character data directly in the element. */
  text: string;
  children: XmlElement[];
  line: number;
};

const maxDepth = 200;

/** Returns the document's root. Throws a sentence if it is not XML. Custom entities are not expanded. */
export function readXml(content: string): XmlElement {
  const parser = new SaxesParser({ position: true });
  const document: XmlElement = { name: '', attributes: {}, text: '', children: [], line: 0 };
  const open = [document];
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > maxDepth) throw new Error(`It nests more than ${maxDepth} elements.`);
    const element: XmlElement = {
      name: localName(name),
      attributes: attributes as Record<string, string>,
      text: '',
      children: [],
      line: parser.line,
    };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  const onText = (text: string) => {
    open.at(-1)!.text += text;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('error', (error) => {
    throw new Error(`It is not XML: ${error.message.slice(0, 200)}.`);
  });
  parser.write(content.replace(/^\uFEFF/, '')).close();
  return document.children[0]!;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);
export const textOf = (element: XmlElement | undefined, name: string): string | null =>
  childOf(element, name)?.text.trim() || null;

/** Returns every element of this name, at any depth. */
export function* descendantsOf(root: XmlElement, name: string): Generator<XmlElement> {
  const pending = [root];
  for (let element = pending.pop(); element; element = pending.pop()) {
    if (element.name === name) yield element;
    for (let index = element.children.length - 1; index >= 0; index--) pending.push(element.children[index]!);
  }
}
