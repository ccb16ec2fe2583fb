import { Document, Footer, Header, type ISectionOptions, Packer, PageNumber, Paragraph, Tab, TextRun } from 'docx';
import { unzipSync } from 'fflate';
import { type DocumentContent, keywordsOf } from '../../document/blocks.ts';
import { formatDay, formatMoment } from '../../labels.ts';
import { plainText } from '../../plain-text.ts';
import { styles, tableStyles } from './styles.ts';

const marker = 'BODY';
const line = (text: string, max: number) => plainText(text, { line: true, max });

/**
 * Makes the document without its body: styles, lists, header and footer, page, properties. `docx` writes these. The
 * body replaces a marker, because the tree that `docx` builds for 2,000 findings takes 850 MB and 3 s. `before` and
 * `after` are the parts of `word/document.xml` around the body.
 */
export async function makeFrame(content: DocumentContent) {
  const files = unzipSync(await Packer.toBuffer(frameDocument(content)));
  const parts = new Map(Object.entries(files).map(([path, data]) => [path, Buffer.from(data).toString('utf8')]));
  const [before, after] = parts
    .get('word/document.xml')!
    .split(new RegExp(`<w:p>(?:(?!<w:p>).)*${marker}.*?</w:p>`, 's'));
  parts.delete('word/document.xml');
  parts.set('docProps/core.xml', coreProperties(parts.get('docProps/core.xml')!, content.takenAt));
  parts.set(
    'word/styles.xml',
    parts.get('word/styles.xml')!.replace('</w:styles>', `${tableStyles(content.accent)}</w:styles>`),
  );
  return { parts, before: before!, after: after! };
}

function frameDocument(content: DocumentContent): Document {
  const title = line(content.title, 250);
  const organization = line(content.organization, 120);
  return new Document({
    title,
    creator: `${organization} (Assay)`,
    lastModifiedBy: 'Assay',
    keywords: keywordsOf(content).join(', '),
    description: `Report ${content.id}, as of ${formatMoment(content.takenAt)}`,
    compatabilityModeVersion: 15,
    styles: styles(content.accent),
    numbering: { config: [bullets] },
    sections: [
      {
        ...page(content.paper),
        headers: headers(organization, title, content.takenAt),
        footers: footers(content.footer),
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

const headers = (organization: string, title: string, takenAt: string) => ({
  default: new Header({
    children: [
      new Paragraph({
        style: 'Header',
        children: [
          new TextRun(`${plainText(organization, { max: 40 })} · ${plainText(title, { max: 60 })}`),
          new TextRun({ children: [new Tab(), formatDay(takenAt)] }),
        ],
      }),
    ],
  }),
});

const footers = (text: string) => ({
  default: new Footer({
    children: [
      new Paragraph({
        style: 'Footer',
        children: [
          new TextRun(line(text, 200)),
          new TextRun({ children: [new Tab(), 'Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES] }),
        ],
      }),
    ],
  }),
});

/** Replaces the current time by that of the snapshot, so that the same report has the same bytes. */
function coreProperties(xml: string, takenAt: string): string {
  const dated = xml.replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, (_, tag: string) => tag + takenAt);
  return dated.replace('</cp:coreProperties>', '<dc:language>en-US</dc:language></cp:coreProperties>');
}
