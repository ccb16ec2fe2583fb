import { type Inline, lettersOf } from '../../document/blocks.ts';
import { severityColors } from '../../labels.ts';
import { plainText } from '../../plain-text.ts';
import type { References } from './references.ts';
import { type RunLook, run } from './run.ts';
import { hex, type Xml } from './xml.ts';

/** Returns the inlines of a paragraph as runs. */
export function inlineRuns(inlines: Inline[], references: References, look: RunLook = {}): Xml {
  return inlines.map((inline) => inlineRun(inline, references, look)).join('');
}

function inlineRun(inline: Inline, references: References, look: RunLook): Xml {
  switch (inline.kind) {
    case 'text':
      return run(plainText(inline.text), look);
    case 'code':
      return run(plainText(inline.text), { ...look, style: 'CodeText' });
    case 'note':
      return run(plainText(inline.text), { ...look, style: 'NoteText' });
    case 'strong':
      return inlineRuns(inline.inlines, references, { ...look, bold: true });
    case 'emphasis':
      return inlineRuns(inline.inlines, references, { ...look, italic: true });
    case 'link':
      return references.webLink(
        inline.url,
        inlineRuns(inline.inlines, references, { ...look, ...references.linkLook }),
      );
    case 'goto':
      return references.innerLink(inline.target, run(plainText(inline.text), { ...look, ...references.linkLook }));
    case 'severity':
      return run(`\u00A0${references.words.severity(inline.severity)}\u00A0`, {
        bold: true,
        color: 'FFFFFF',
        shade: hex(severityColors[inline.severity]),
      });
  }
}

/** Returns only the text of inlines. */
export const inlineText = lettersOf;
