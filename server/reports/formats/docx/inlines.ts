import type { Inline } from '../../markdown.ts';
import { plainText } from '../../plain-text.ts';
import { linkLook, type References } from './references.ts';
import { type RunLook, run } from './run.ts';
import type { Xml } from './xml.ts';

/** Returns the inline Markdown of a paragraph as runs. */
export function inlineRuns(inlines: Inline[], references: References, look: RunLook = {}): Xml {
  return inlines.map((inline) => inlineRun(inline, references, look)).join('');
}

function inlineRun(inline: Inline, references: References, look: RunLook): Xml {
  switch (inline.kind) {
    case 'text':
      return run(plainText(inline.text), look);
    case 'code':
      return run(plainText(inline.text), { ...look, style: 'CodeText' });
    case 'strong':
      return inlineRuns(inline.inlines, references, { ...look, bold: true });
    case 'emphasis':
      return inlineRuns(inline.inlines, references, { ...look, italic: true });
    case 'link':
      return references.webLink(inline.url, inlineRuns(inline.inlines, references, { ...look, ...linkLook }));
  }
}

/** Returns only the text of inline Markdown. */
export const inlineText = (inlines: Inline[]): string =>
  inlines.map((inline) => ('text' in inline ? inline.text : inlineText(inline.inlines))).join('');
