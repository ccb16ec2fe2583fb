import type { IParagraphStyleOptions, IStylesOptions } from 'docx';
import { inkColor, mutedColor, ruleColor } from '../../labels.ts';
import { hex, type Xml } from './xml.ts';

/**
 * Fonts that Word has on every system, by script. Other programs have metric-compatible fonts for these two
 * (Liberation, Nimbus), so that words don't become too wide for their columns.
 */
const textFont = { ascii: 'Arial', hAnsi: 'Arial', eastAsia: 'Microsoft YaHei', cs: 'Arial' };
const codeFont = { ascii: 'Courier New', hAnsi: 'Courier New', eastAsia: 'Microsoft YaHei', cs: 'Courier New' };

const ink = hex(inkColor);
const muted = hex(mutedColor);
const rule = hex(ruleColor);
const codeBackground = 'F4F6F9';

/** Sizes are half points, distances twentieths of a point. */
const heading = (level: number, size: number, before: number, after: number, color: string) => ({
  name: `heading ${level}`,
  basedOn: 'Normal',
  next: 'BodyText',
  quickFormat: true,
  uiPriority: 9,
  run: { size, sizeComplexScript: size, bold: true, boldComplexScript: true, color },
  paragraph: { keepNext: true, keepLines: true, spacing: { before, after }, outlineLevel: level - 1 },
});

/** The heading of a finding has its id on the right. */
const entry = heading(3, 23, 280, 60, ink);
const entryHeading = { ...entry, paragraph: { ...entry.paragraph, rightTabStop: 9_600 } };

const style = (
  id: string,
  name: string,
  { paragraph = {}, run = {}, basedOn = 'Normal', ...rest }: Partial<IParagraphStyleOptions>,
): IParagraphStyleOptions => ({ id, name, basedOn, quickFormat: true, paragraph, run, ...rest });

const sized = (size: number) => ({ size, sizeComplexScript: size });
const bold = { bold: true, boldComplexScript: true };
const line = (color: string, size: number, space: number) => ({ style: 'single' as const, color, size, space });

const contentsEntry = (level: number) =>
  style(`TOC${level}`, `toc ${level}`, {
    next: 'Normal',
    uiPriority: 39,
    run: level === 1 ? bold : {},
    paragraph: {
      indent: { left: (level - 1) * 280 },
      spacing: { before: level === 1 ? 120 : 0, after: 40 },
      rightTabStop: 9_600,
    },
  });

const paragraphStyles = (accent: string): IParagraphStyleOptions[] => [
  style('BodyText', 'Body Text', { paragraph: { spacing: { after: 120 } } }),
  style('Lead', 'Lead', {
    next: 'BodyText',
    run: { ...sized(26), color: ink },
    paragraph: { spacing: { after: 200, line: 300, lineRule: 'auto' } },
  }),
  style('SmallText', 'Small Text', { run: sized(19), paragraph: { spacing: { after: 60 } } }),
  style('CardText', 'Card Text', {
    run: sized(15),
    paragraph: { spacing: { after: 30, line: 245, lineRule: 'auto' } },
  }),
  style('Spacer', 'Spacer', { run: sized(8), paragraph: { spacing: { before: 0, after: 60 } } }),
  style('CoverFigures', 'Cover Figures', {
    run: { ...sized(32), ...bold, color: ink },
    paragraph: { spacing: { before: 400 } },
  }),
  style('CoverOrganization', 'Cover Organization', {
    run: { ...sized(26), ...bold, color: accent },
    paragraph: { spacing: { before: 2_400, after: 160 } },
  }),
  style('TOCHeading', 'TOC Heading', {
    next: 'Normal',
    uiPriority: 39,
    run: { ...sized(36), ...bold, color: ink },
    paragraph: { keepNext: true, spacing: { after: 240 } },
  }),
  contentsEntry(1),
  contentsEntry(2),
  contentsEntry(3),
  style('Code', 'Code', {
    run: { ...sized(17), font: codeFont, noProof: true },
    paragraph: {
      spacing: { before: 40, after: 160, line: 252, lineRule: 'auto' },
      indent: { left: 120, right: 120 },
      shading: { type: 'clear', color: 'auto', fill: codeBackground },
      border: {
        top: line(codeBackground, 4, 6),
        bottom: line(codeBackground, 4, 6),
        left: line(codeBackground, 4, 6),
        right: line(codeBackground, 4, 6),
      },
    },
  }),
  style('Quote', 'Quote', {
    run: { color: muted },
    paragraph: { indent: { left: 240 }, spacing: { after: 120 }, border: { left: line(rule, 18, 10) } },
  }),
  style('ListBullet', 'List Bullet', { paragraph: { spacing: { after: 60 }, contextualSpacing: false } }),
  style('ListNumber', 'List Number', { paragraph: { spacing: { after: 60 } } }),
  style('ListContinue', 'List Continue', { paragraph: { spacing: { after: 60 } } }),
  style('CommentBy', 'Comment Author', {
    next: 'ReportComment',
    run: { ...sized(19), color: muted },
    paragraph: {
      keepNext: true,
      indent: { left: 200 },
      spacing: { before: 60, after: 0 },
      border: { left: line(rule, 18, 8) },
    },
  }),
  style('ReportComment', 'Comment', {
    paragraph: { indent: { left: 200 }, spacing: { after: 120 }, border: { left: line(rule, 18, 8) } },
  }),
  style('Note', 'Note', { run: { ...sized(19), color: muted }, paragraph: { spacing: { before: 80, after: 120 } } }),
  style('Figure', 'Figure', { next: 'Caption', paragraph: { keepNext: true, spacing: { before: 120, after: 40 } } }),
  style('TableText', 'Table Text', { run: sized(20), paragraph: { spacing: { before: 30, after: 30 } } }),
  style('DenseText', 'Dense Table Text', { run: sized(16), paragraph: { spacing: { before: 10, after: 10 } } }),
  style('DenseNumber', 'Dense Table Number', { basedOn: 'DenseText', paragraph: { alignment: 'right' } }),
  style('TightText', 'Tight Table Text', { run: sized(14), paragraph: { spacing: { before: 0, after: 0 } } }),
  style('TightNumber', 'Tight Table Number', { basedOn: 'TightText', paragraph: { alignment: 'right' } }),
  style('FactLabel', 'Fact Label', {
    basedOn: 'TableText',
    run: { ...bold, color: muted },
    paragraph: { keepNext: true },
  }),
  style('TableNumber', 'Table Number', { basedOn: 'TableText', paragraph: { alignment: 'right' } }),
  style('TileValue', 'Key Figure', {
    run: { ...sized(40), ...bold, color: ink },
    paragraph: { spacing: { before: 40, after: 0 } },
  }),
  style('TileLabel', 'Key Figure Label', {
    run: { ...sized(18), ...bold, color: muted },
    paragraph: { keepNext: true },
  }),
  style('TileNote', 'Key Figure Note', { run: { ...sized(18), color: muted }, paragraph: { spacing: { after: 40 } } }),
];

const runs = [
  { id: 'Strong', name: 'Strong', run: bold },
  { id: 'Emphasis', name: 'Emphasis', run: { italics: true, italicsComplexScript: true } },
  {
    id: 'CodeText',
    name: 'Code Text',
    run: {
      font: codeFont,

      noProof: true,
      shading: { type: 'clear' as const, color: 'auto', fill: codeBackground },
    },
  },
  { id: 'NoteText', name: 'Note Text', run: { color: muted } },
  {
    id: 'Aside',
    name: 'Aside',
    run: { ...sized(15), bold: false, boldComplexScript: false, color: muted, font: codeFont },
  },
];

/** The styles of the document, except those of tables. */
export const styles = (accentColor: string, locale: string): IStylesOptions => {
  const accent = hex(accentColor);
  return {
    default: {
      document: {
        run: {
          font: textFont,
          size: 21,
          sizeComplexScript: 21,
          color: ink,
          language: { value: locale, eastAsia: 'zh-CN', bidirectional: 'ar-SA' },
        },
        paragraph: { spacing: { line: 264, lineRule: 'auto' } },
      },
      title: {
        name: 'Title',
        basedOn: 'Normal',
        next: 'Subtitle',
        run: { ...sized(64), ...bold, color: ink },
        paragraph: { keepNext: true, spacing: { after: 160, line: 240, lineRule: 'auto' } },
      },
      heading1: heading(1, 36, 480, 200, ink),
      heading2: heading(2, 28, 360, 120, accent),
      heading3: entryHeading,
      heading4: heading(4, 20, 140, 40, muted),
      caption: {
        run: { ...sized(19), italics: false, color: muted, bold: false },
        paragraph: { spacing: { before: 40, after: 120 } },
      },
      hyperlink: { run: { color: accent, underline: { type: 'single', color: accent } } },
      listParagraph: {},
    },
    paragraphStyles: [
      style('Subtitle', 'Subtitle', {
        run: { ...sized(26), color: muted },
        paragraph: { spacing: { after: 480 }, border: { bottom: line(accent, 24, 20) } },
      }),
      style('Header', 'header', { run: { ...sized(18), color: muted }, paragraph: { rightTabStop: 9_600 } }),
      style('Footer', 'footer', { run: { ...sized(18), color: muted }, paragraph: { rightTabStop: 9_600 } }),
      ...paragraphStyles(accent),
    ],
    characterStyles: runs,
  };
};

const border = (side: string, size: number, color: string) =>
  `<w:${side} w:val="single" w:sz="${size}" w:space="0" w:color="${color}"/>`;
const condition = (type: string, run: string, cell: string) =>
  `<w:tblStylePr w:type="${type}"><w:rPr>${run}</w:rPr><w:tcPr>${cell}</w:tcPr></w:tblStylePr>`;

const tableStyle = (id: string, name: string, borders: string, conditions: string) =>
  `<w:style w:type="table" w:customStyle="1" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="TableNormal"/>` +
  `<w:uiPriority w:val="59"/><w:tblPr><w:tblBorders>${borders}</w:tblBorders><w:tblCellMar>` +
  '<w:top w:w="20" w:type="dxa"/><w:left w:w="80" w:type="dxa"/><w:bottom w:w="20" w:type="dxa"/><w:right w:w="80" w:type="dxa"/>' +
  `</w:tblCellMar></w:tblPr>${conditions}</w:style>`;

const boldRun = '<w:b/><w:bCs/>';

/** The styles of tables, which `docx` has no options for. */
export const tableStyles = (accentColor: string): Xml =>
  [
    tableStyle(
      'Summary',
      'Summary Table',
      border('top', 4, rule) + border('bottom', 8, ink) + border('insideH', 4, rule),
      condition('firstRow', boldRun, `<w:tcBorders>${border('bottom', 8, ink)}</w:tcBorders>`) +
        condition('lastRow', boldRun, `<w:tcBorders>${border('top', 8, ink)}</w:tcBorders>`) +
        condition('firstCol', boldRun, ''),
    ),
    tableStyle(
      'Facts',
      'Facts Table',
      border('top', 4, rule) + border('bottom', 4, rule) + border('insideH', 4, rule),
      '',
    ),
    tableStyle('Tiles', 'Key Figures', border('top', 12, hex(accentColor)) + border('bottom', 4, rule), ''),
    tableStyle('Layout', 'Side by Side', '', ''),
  ].join('');
