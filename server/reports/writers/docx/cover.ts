import { severities } from '@assay/scanner/contract/severity.ts';
import { type Logo, printedSize } from '../../branding/branding.ts';
import type { DocumentContent } from '../../document/blocks.ts';
import { plainText } from '../../plain-text.ts';
import { wordingIn } from '../../sentences/wording.ts';
import { factsTable } from './block-tables.ts';
import { picture } from './figures.ts';
import { paragraph, textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import type { Xml } from './xml.ts';

/** The name of the logo in `word/media`. */
export const logoName = 'logo.png';

const perMillimetre = 36_000;

function logoXml(logo: Logo, alternative: string, references: References): Xml {
  const { width, height } = printedSize(logo);
  const size = { width: width * perMillimetre, height: height * perMillimetre };
  return paragraph('Normal', picture(logoName, alternative, size, references));
}

/** Returns the first page: organization, title, key figures and scope. */
export function cover(content: DocumentContent, references: References): Xml {
  const { organization, title, cover, footer, language, logo } = content;
  const { say, number, severity: nameOf } = wordingIn(language);
  const open = severities.map((severity) => `${nameOf(severity)} ${number(cover.severities[severity])}`).join(' · ');
  return [
    logo ? logoXml(logo, say('cover.logo', { organization }), references) : '',
    textParagraph('CoverOrganization', plainText(organization, { line: true, max: 200 })),
    textParagraph('Title', plainText(title, { line: true, max: 300 })),
    textParagraph('Subtitle', cover.subtitle),
    textParagraph('CoverFigures', cover.figures.map(({ value, label }) => `${value} ${label}`).join(', ')),
    textParagraph('Note', `${say('cover.by_severity')}: ${open}`),
    factsTable(cover.facts, references, say('cover.covers')),
    textParagraph('Note', plainText(footer, { line: true })),
  ].join('');
}
