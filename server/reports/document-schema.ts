import Type, { type Static } from 'typebox';
import { invalid } from '../platform/errors.ts';
import { enumeration, idOf, nullable } from '../platform/http/schema.ts';
import { nameSchema } from '../platform/name.ts';
import {
  defaultDocument,
  paperSizes,
  type ReportDocument,
  reportLanguages,
  reportTemplates,
  tlpLabels,
} from './report-document.ts';

/** The minimum contrast of text on its background in WCAG 2 (level AA). */
const minContrast = 4.5;

/** Returns the contrast of a color `#rrggbb` with white, 1 to 21, as WCAG 2 defines it. */
export function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05);
}

const Template = enumeration(reportTemplates, {
  $id: 'ReportTemplate',
  description:
    'The contents of `pdf` and `docx`. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.',
});

const labels = Object.keys(tlpLabels);

const language = enumeration(reportLanguages, { $id: 'ReportLanguage', description: '`en` by default.' });
const paper = enumeration(paperSizes, { $id: 'ReportPaper', description: '`a4` by default.' });

const markdown = (description: string) =>
  Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: `${description} Markdown.` });

const descriptions = {
  author: 'The author of the document; by default, the creator of the report.',
  classification: `The permitted readers: one of ${labels.map((label) => `\`${label}\``).join(', ')}, or your own words.`,
  accent_color: 'The colour of headings and lines, `#rrggbb`, with a contrast of at least 4.5:1 on white.',
  footer: 'A line at the foot of each page.',
  foreword: 'A section before the summary.',
  conclusion: 'A section after the findings.',
};
const version = 'The version of the document, `1.0` by default.';
const distribution = 'The people and groups who receive the document.';

/** The document of a request: omitted or null members have their defaults. */
const ReportDocumentInput = Type.Object(
  {
    version: Type.Optional(nameSchema(version, 40)),
    author: Type.Optional(nullable(nameSchema(descriptions.author))),
    distribution: Type.Optional(
      Type.Array(nameSchema('A person or group.'), { maxItems: 50, description: distribution }),
    ),
    classification: Type.Optional(nullable(nameSchema(descriptions.classification, 100))),
    language: Type.Optional(language),
    paper: Type.Optional(paper),
    accent_color: Type.Optional(
      nullable(
        Type.String({
          pattern: '^#[0-9A-Fa-f]{6}$',
          description: descriptions.accent_color,
          errorMessage: 'must be a colour of the form #rrggbb',
        }),
      ),
    ),
    footer: Type.Optional(nullable(nameSchema(descriptions.footer))),
    foreword: Type.Optional(nullable(markdown(descriptions.foreword))),
    conclusion: Type.Optional(nullable(markdown(descriptions.conclusion))),
  },
  {
    $id: 'ReportDocumentControlInput',
    description: 'The details and appearance of the document. Members that are left out have their defaults.',
  },
);
export type DocumentInput = Static<typeof ReportDocumentInput>;

const text = (description: string) => nullable(Type.String(), { description });

const ReportDocumentView = Type.Object(
  {
    version: Type.String({ description: version }),
    author: text(descriptions.author),
    distribution: Type.Array(Type.String(), { description: distribution }),
    classification: text(descriptions.classification),
    language,
    paper,
    accent_color: text(descriptions.accent_color),
    footer: text(descriptions.footer),
    foreword: text(`${descriptions.foreword} Markdown.`),
    conclusion: text(`${descriptions.conclusion} Markdown.`),
  },
  { $id: 'ReportDocumentControl', description: 'The details and appearance of the document.' },
);

/** The fields of reports and scheduled reports that control the look of their documents. */
export const documentFields = { template: Template, document: ReportDocumentView };
export const documentInput = {
  template: Type.Optional(Template),
  document: Type.Optional(ReportDocumentInput),
};
export const compareTo = idOf(
  'rpt',
  'An earlier report, which must be ready: figures show their change since then, and the report lists what changed.',
);

/** Returns the document with its defaults. Throws a 400 that names the invalid member. */
export function readDocument(input: DocumentInput = {}): ReportDocument {
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  const document: ReportDocument = { ...defaultDocument, ...Object.fromEntries(given) };
  const { classification, accent_color: color } = document;
  if (classification && /^tlp\b/i.test(classification)) {
    const label = classification.toUpperCase().replaceAll(/\s/g, '');
    if (!labels.includes(label))
      throw invalid('body', 'document.classification', `must be one of ${labels.join(', ')}, or words of your own`);
    document.classification = label;
  }
  if (color && contrastWithWhite(color) < minContrast) {
    const contrast = contrastWithWhite(color).toFixed(1);
    const message = `must be darker: its contrast on white is ${contrast}:1, and text needs ${minContrast}:1`;
    throw invalid('body', 'document.accent_color', message);
  }
  return document;
}

export const documentExample = {
  ...defaultDocument,
  author: 'Ada Lovelace',
  distribution: ['Board of Example Industries', 'Internal audit'],
  classification: 'TLP:AMBER',
};
