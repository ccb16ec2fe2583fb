import { Document, Footer, Header, type ISectionOptions, Packer, PageNumber, Paragraph, Tab, TextRun } from 'docx';
import { unzipSync } from 'fflate';
import { formatDay, formatMoment } from '../../labels.ts';
import { plainText } from '../../plain-text.ts';
import type { ReportHead } from '../../report-model.ts';
import { styles, tableStyles } from './styles.ts';

const marker = 'BODY';
const line = (text: string, max: number) => plainText(text, { line: true, max });

/**
 * Makes the document without its body: styles, lists, header and footer, page, properties. `docx` writes these. The
 * body replaces a marker, because the tree that `docx` builds for 2,000 findings takes 850 MB and 3 s. `before` and
 * `after` are the parts of `word/document.xml` around the body.
 */
export async function makeFrame(head: ReportHead) {
  const files = unzipSync(await Packer.toBuffer(frameDocument(head)));
  const parts = new Map(Object.entries(files).map(([path, data]) => [path, Buffer.from(data).toString('utf8')]));
  const [before, after] = parts
    .get('word/document.xml')!
    .split(new RegExp(`<w:p>(?:(?!<w:p>).)*${marker}.*?</w:p>`, 's'));
  parts.delete('word/document.xml');
  parts.set('docProps/core.xml', coreProperties(parts.get('docProps/core.xml')!, head.taken_at));
  parts.set('word/styles.xml', parts.get('word/styles.xml')!.replace('</w:styles>', `${tableStyles}</w:styles>`));
  return { parts, before: before!, after: after! };
}

function frameDocument(head: ReportHead): Document {
  const title = line(head.title, 250);
  const organization = line(head.organization.name, 120);
  return new Document({
    title,
    creator: `${organization} (Assay)`,
    lastModifiedBy: 'Assay',
    description: `Report ${head.id}, as of ${formatMoment(head.taken_at)}`,
    compatabilityModeVersion: 15,
    styles,
    numbering: { config: [bullets] },
    sections: [
      { ...page, headers: headers(organization, title, head), footers: footers(head), children: [bodyMarker()] },
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

/** A4 with a text width of 9,600 twentieths of a point, as the charts expect. */
const page: Omit<ISectionOptions, 'children'> = {
  properties: {
    titlePage: true,
    page: {
      size: { width: 11_906, height: 16_838 },
      margin: { top: 1_420, bottom: 1_250, left: 1_153, right: 1_153, header: 620, footer: 560 },
    },
  },
};

const headers = (organization: string, title: string, head: ReportHead) => ({
  default: new Header({
    children: [
      new Paragraph({
        style: 'Header',
        children: [
          new TextRun(`${plainText(organization, { max: 40 })} · ${plainText(title, { max: 60 })}`),
          new TextRun({ children: [new Tab(), formatDay(head.taken_at)] }),
        ],
      }),
    ],
  }),
});

const footers = (head: ReportHead) => ({
  default: new Footer({
    children: [
      new Paragraph({
        style: 'Footer',
        children: [
          new TextRun(
            `Confidential. For ${plainText(head.organization.name, { line: true, max: 60 })} and its authorized recipients.`,
          ),
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
