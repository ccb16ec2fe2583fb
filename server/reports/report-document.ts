/** How much a document contains: `executive` has at most 6 pages, `audit` one card per problem, `technical` every detail. */
export const reportTemplates = ['executive', 'audit', 'technical'] as const;
export type ReportTemplate = (typeof reportTemplates)[number];

export const reportLanguages = ['en', 'de'] as const;
export type ReportLanguage = (typeof reportLanguages)[number];

export const paperSizes = ['a4', 'letter'] as const;
type PaperSize = (typeof paperSizes)[number];

export const documentStates = ['draft', 'final'] as const;
type DocumentState = (typeof documentStates)[number];

/** What a document says about itself, and how it looks. */
export type ReportDocument = {
  /** The version of the document, such as `1.0`. */
  version: string;
  state: DocumentState;
  author: string | null;
  reviewer: string | null;
  /** The people and groups who receive the document. */
  distribution: string[];
  /** A label of the Traffic Light Protocol, such as `TLP:AMBER`, or the organization's own words. */
  classification: string | null;
  language: ReportLanguage;
  paper: PaperSize;
  /** `#rrggbb`; null for the colour of Assay. */
  accent_color: string | null;
  /** A line at the foot of each page. */
  footer: string | null;
  /** Markdown before the summary. */
  foreword: string | null;
  /** Markdown after the findings. */
  conclusion: string | null;
};

export const defaultDocument: ReportDocument = {
  version: '1.0',
  state: 'final',
  author: null,
  reviewer: null,
  distribution: [],
  classification: null,
  language: 'en',
  paper: 'a4',
  accent_color: null,
  footer: null,
  foreword: null,
  conclusion: null,
};
