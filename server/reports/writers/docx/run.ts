import { type Xml, xmlText } from './xml.ts';

/** Formatting of a run besides the style of its paragraph. `color` and `shade` are `RRGGBB`. */
export type RunLook = { style?: string; bold?: boolean; italic?: boolean; color?: string; shade?: string };

const scripts = ['Hebrew', 'Arabic', 'Syriac', 'Thaana', 'Nko', 'Adlam'].map((name) => `\\p{Script=${name}}`).join('');
const rightToLeftLetter = new RegExp(`[${scripts}]`, 'u');
const rightToLeftWord = `[${scripts}][${scripts}\\p{M}]*`;
const rightToLeftStretch = new RegExp(`(${rightToLeftWord}(?:[\\s\\p{P}]+${rightToLeftWord})*)`, 'u');
const letter = /\p{L}/u;

/** Returns whether the first letter of a text, and therefore its paragraph, runs from right to left. */
export function isRightToLeft(text: string): boolean {
  const first = letter.exec(text);
  return first !== null && rightToLeftLetter.test(first[0]);
}

/** Returns a text as runs, with line breaks and tabs, and with right-to-left text marked. */
export function run(text: string, look: RunLook = {}): Xml {
  const properties = lookXml(look);
  if (!rightToLeftLetter.test(text)) return oneRun(text, properties, '');
  return text
    .split(rightToLeftStretch)
    .map((piece, index) => (piece === '' ? '' : oneRun(piece, properties, index % 2 ? '<w:rtl/>' : '')))
    .join('');
}

/** In the order of the schema, which Word requires: rStyle, b, bCs, i, iCs, color, shd; rtl follows. */
function lookXml({ style, bold, italic, color, shade }: RunLook): Xml {
  return [
    style ? `<w:rStyle w:val="${style}"/>` : '',
    bold ? '<w:b/><w:bCs/>' : '',
    italic ? '<w:i/><w:iCs/>' : '',
    color ? `<w:color w:val="${color}"/>` : '',
    shade ? `<w:shd w:val="clear" w:color="auto" w:fill="${shade}"/>` : '',
  ].join('');
}

function oneRun(text: string, properties: Xml, direction: Xml): Xml {
  const look = properties + direction;
  return `<w:r>${look ? `<w:rPr>${look}</w:rPr>` : ''}${runContent(text)}</w:r>`;
}

function runContent(text: string): Xml {
  if (!/[\n\t]/.test(text)) return textElement(text);
  return text
    .split(/([\n\t])/)
    .map((piece) => (piece === '\n' ? '<w:br/>' : piece === '\t' ? '<w:tab/>' : piece && textElement(piece)))
    .join('');
}

const textElement = (text: string): Xml => `<w:t xml:space="preserve">${xmlText(text)}</w:t>`;

/** Returns a field that Word updates, with the text that it shows until then. */
export function field(instruction: string, shown: Xml): Xml {
  return (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
    `<w:r><w:instrText xml:space="preserve"> ${xmlText(instruction)} </w:instrText></w:r>` +
    `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${shown}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
  );
}
