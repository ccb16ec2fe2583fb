import { type Xml, xmlText } from './xml.ts';

/** How a run looks besides what its paragraph's style says. `color` and `shade` are `RRGGBB`. */
export type RunLook = { style?: string; bold?: boolean; italic?: boolean; color?: string; shade?: string };

const scripts = ['Hebrew', 'Arabic', 'Syriac', 'Thaana', 'Nko', 'Adlam'].map((name) => `\\p{Script=${name}}`).join('');
const rightToLeftLetter = new RegExp(`[${scripts}]`, 'u');
const rightToLeftWord = `[${scripts}][${scripts}\\p{M}]*`;
const rightToLeftStretch = new RegExp(`(${rightToLeftWord}(?:[\\s\\p{P}]+${rightToLeftWord})*)`, 'u');
const letter = /\p{L}/u;

/** Whether the text's first letter is of a script written from right to left, and thus its paragraph. */
export function isRightToLeft(text: string): boolean {
  const first = letter.exec(text);
  return first !== null && rightToLeftLetter.test(first[0]);
}

/** The text as runs: its line breaks and tabs as such, and what is written from right to left marked as that. */
export function run(text: string, look: RunLook = {}): Xml {
  const properties = lookXml(look);
  if (!rightToLeftLetter.test(text)) return oneRun(text, properties, '');
  return text
    .split(rightToLeftStretch)
    .map((piece, index) => (piece === '' ? '' : oneRun(piece, properties, index % 2 ? '<w:rtl/>' : '')))
    .join('');
}

/** In the order of the schema, which Word insists on: rStyle, b, bCs, i, iCs, color, shd; rtl follows. */
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

/** A field that Word keeps up to date, with what it shows until then. */
export function field(instruction: string, shown: Xml): Xml {
  return (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' +
    `<w:r><w:instrText xml:space="preserve"> ${xmlText(instruction)} </w:instrText></w:r>` +
    `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${shown}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
  );
}
