import {
  AlignmentType,
  Document,
  Footer,
  Header,
  type ISectionOptions,
  Packer,
  PageNumber,
  Paragraph,
  ShadingType,
  Tab,
  TextRun,
} from 'docx';
import { unzipSync } from 'fflate';
import { fittedText, textWidth } from '../../charts/text-width.ts';
import { type DocumentContent, keywordsOf } from '../../document/blocks.ts';
import { plainText } from '../../plain-text.ts';
import { tlpLabels } from '../../report-document.ts';
import { type Wording, wordingIn } from '../../sentences/wording.ts';
import { styles, tableStyles } from './styles.ts';

const marker = 'BODY';
const line = (text: string, max: number) => plainText(text, { line: true, max });

/**
 * Creates the document without its body: styles, lists, header and footer, page, properties. The library `docx` writes
 * these. The body replaces a marker, because the tree that `docx` would build for 2,000 findings takes 850 MB and 3 s.
 * `before` and `after` are the parts of `word/document.xml` around the body.
 */
export async function makeFrame(content: DocumentContent) {
  const files = unzipSync(await Packer.toBuffer(frameDocument(content)));
  const parts = new Map(Object.entries(files).map(([path, data]) => [path, Buffer.from(data).toString('utf8')]));
  const [before, after] = parts
    .get('word/document.xml')!
    .split(new RegExp(`<w:p>(?:(?!<w:p>).)*${marker}.*?</w:p>`, 's'));
  parts.delete('word/document.xml');
  parts.set('docProps/core.xml', coreProperties(parts.get('docProps/core.xml')!, content));
  parts.set(
    'word/styles.xml',
    parts.get('word/styles.xml')!.replace('</w:styles>', `${tableStyles(content.accent)}</w:styles>`),
  );
  return { parts, before: before!, after: after! };
}

function frameDocument(content: DocumentContent): Document {
  const words = wordingIn(content.language);
  const title = line(content.title, 250);
  const organization = line(content.organization, 120);
  return new Document({
    title,
    creator: line(content.author, 120),
    lastModifiedBy: 'Assay',
    keywords: keywordsOf(content).join(', '),
    description: words.say('footer.description', { id: content.id, at: words.moment(content.takenAt) }),
    compatabilityModeVersion: 15,
    styles: styles(content.accent, words.locale),
    numbering: { config: [bullets] },
    sections: [
      {
        ...page(content.paper),
        headers: headers(content, `${plainText(organization, { max: 40 })} · ${plainText(title, { max: 60 })}`, words),
        footers: footers(content, words),
        children: [bodyMarker()],
      },
    ],
  });
}

/** The paragraph that the body replaces; it uses the list, so that `docx` writes the list. */
const bodyMarker = () =>
  new Paragraph({ numbering: { reference: 'bullets', level: 0 }, children: [new TextRun(marker)] });

const bullets = {
  reference: 'bullets',
  levels: Array.from({ length: 9 }, (_, level) => ({
    level,
    format: 'bullet' as const,
    text: level % 2 ? '–' : '•',
    style: { paragraph: { indent: { left: 340 + level * 340, hanging: 280 } } },
  })),
};

const papers = {
  a4: { width: 11_906, height: 16_838 },
  letter: { width: 12_240, height: 15_840 },
};

/** The text is 9,600 twentieths of a point wide on each paper, as tables and charts expect. */
const page = (paper: DocumentContent['paper']): Omit<ISectionOptions, 'children'> => {
  const size = papers[paper];
  const side = (size.width - 9_600) / 2;
  return {
    properties: {
      titlePage: true,
      page: { size, margin: { top: 1_420, bottom: 1_250, left: side, right: side, header: 620, footer: 560 } },
    },
  };
};

/**
 * Returns the label of the Traffic Light Protocol as FIRST publishes it: right-aligned, 12 points, its color on black.
 */
const tlpLines = (label: DocumentContent['label']): Paragraph[] => {
  if (label === null) return [];
  const shading = { type: ShadingType.CLEAR, color: 'auto', fill: '000000' };
  const run = { text: label, size: '12pt' as const, bold: true, color: tlpLabels[label].slice(1), shading };
  return [new Paragraph({ alignment: AlignmentType.RIGHT, spacing: { after: 60 }, children: [new TextRun(run)] })];
};

/** In points: the width of the text, and the size of the letters above it, with space for a wider font. */
const headerWidth = 480;
const headerSize = 9.5;

const headers = (content: DocumentContent, running: string, words: Wording) => {
  const end = `${content.state} · ${words.day(content.takenAt)}`;
  const room = headerWidth - textWidth(end, headerSize) - headerSize;
  return headersOf(content, fittedText(running, headerSize, room), end);
};

const headersOf = ({ label }: DocumentContent, running: string, end: string) => ({
  first: new Header({ children: tlpLines(label) }),
  default: new Header({
    children: [
      ...tlpLines(label),
      new Paragraph({
        style: 'Header',
        children: [new TextRun(running), new TextRun({ children: [new Tab(), end] })],
      }),
    ],
  }),
});

const footers = ({ label, footer }: DocumentContent, words: Wording) => ({
  first: new Footer({ children: tlpLines(label) }),
  default: new Footer({
    children: [
      new Paragraph({
        style: 'Footer',
        children: [new TextRun(line(footer, 200)), new TextRun({ children: [new Tab(), ...pageOfPages(words)] })],
      }),
      ...tlpLines(label),
    ],
  }),
});

/** Returns `Page 3 of 9` with fields for the numbers. */
function pageOfPages({ say }: Wording) {
  const [before, between, after] = say('footer.page', { page: '\u0000', pages: '\u0000' }).split('\u0000');
  return [before!, PageNumber.CURRENT, between!, PageNumber.TOTAL_PAGES, after!].filter((part) => part !== '');
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Adds state and version, and replaces the current time with that of the snapshot, so that the same report has the same
 * bytes.
 */
function coreProperties(xml: string, { takenAt, language, state, version }: DocumentContent): string {
  const dated = xml.replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, (_, tag: string) => tag + takenAt);
  return dated.replace(
    '</cp:coreProperties>',
    () =>
      `<dc:language>${wordingIn(language).locale}</dc:language><cp:contentStatus>${escaped(state)}</cp:contentStatus>` +
      `<cp:version>${escaped(line(version, 40))}</cp:version></cp:coreProperties>`,
  );
}
