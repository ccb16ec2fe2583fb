/**
 * The templates of a document: `executive` has at most 6 pages, `audit` one card per problem, `technical` every detail.
 */
export const reportTemplates = ['executive', 'audit', 'technical'] as const;
export type ReportTemplate = (typeof reportTemplates)[number];

export const reportLanguages = ['en', 'de'] as const;
export type ReportLanguage = (typeof reportLanguages)[number];

/**
 * The labels of the Traffic Light Protocol 2.0, as FIRST spells them, with the color of each on black
 * (https://www.first.org/tlp/).
 */
export const tlpLabels = {
  'TLP:CLEAR': '#ffffff',
  'TLP:GREEN': '#33ff00',
  'TLP:AMBER': '#ffc000',
  'TLP:AMBER+STRICT': '#ffc000',
  'TLP:RED': '#ff2b2b',
} as const;
export type TlpLabel = keyof typeof tlpLabels;

/** Returns the label in a classification; null for the organization's own words. */
export const labelOf = (classification: string | null): TlpLabel | null =>
  classification !== null && Object.hasOwn(tlpLabels, classification) ? (classification as TlpLabel) : null;

export const paperSizes = ['a4', 'letter'] as const;
type PaperSize = (typeof paperSizes)[number];

export const reportStates = ['draft', 'reviewed', 'final'] as const;
export type ReportState = (typeof reportStates)[number];

/** The state of a report, with the person and time of each step. */
export type ReportApproval = {
  state: ReportState;
  reviewed: { name: string; at: string } | null;
  finalized: { name: string; at: string } | null;
};
export const draft: ReportApproval = { state: 'draft', reviewed: null, finalized: null };

/** The content and appearance settings of a document. */
export type ReportDocument = {
  /** The version of the document, such as `1.0`. */
  version: string;
  author: string | null;
  /** The people and groups who receive the document. */
  distribution: string[];
  /** A label of the Traffic Light Protocol, such as `TLP:AMBER`, or the organization's own words. */
  classification: string | null;
  language: ReportLanguage;
  paper: PaperSize;
  /** `#rrggbb`; null for Assay's color. */
  accent_color: string | null;
  /** A line in the footer of each page. */
  footer: string | null;
  /** Markdown before the summary. */
  foreword: string | null;
  /** Markdown after the findings. */
  conclusion: string | null;
};

export const defaultDocument: ReportDocument = {
  version: '1.0',
  author: null,
  distribution: [],
  classification: null,
  language: 'en',
  paper: 'a4',
  accent_color: null,
  footer: null,
  foreword: null,
  conclusion: null,
};
