/** The content of a mail, in plain text: nothing in it is treated as markup or as a header. */
export type MailLayout = {
  subject: string;
  /** The sender's name, shown above the heading. */
  sender: string;
  heading: string;
  /** The most important sentence, for readers who read no further. */
  lead: string;
  /** Steps, in order, right after the lead. */
  steps?: { heading: string; items: Array<{ title: string; detail: string; url: string }> };
  figures?: Array<{ label: string; value: string; note?: string }>;
  paragraphs?: string[];
  /** The only button; `url` is absolute. */
  action?: { label: string; url: string };
  /** A note about the mail itself: why it was sent, and whom to contact. */
  footer: string[];
};

export type ComposedMail = { subject: string; text: string; html: string };

const color = { accent: '#1f4fd8', ink: '#1a1f2b', muted: '#5b6472', rule: '#dfe3ea', page: '#f3f5f8' };
const font = `font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
// Long paths and addresses break anywhere: otherwise they would make the page too wide for a small screen.
const wrap = 'word-break:break-word;overflow-wrap:anywhere';

const maxSubjectLength = 200;

/** Returns the text as one well-formed line without control and bidirectional formatting characters. */
export function singleLine(text: string, most = 2_000): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= most
    ? line
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** Formats a mail as text, and as HTML that old mail programs can display. */
export function composeMail(layout: MailLayout): ComposedMail {
  return { subject: singleLine(layout.subject, maxSubjectLength), text: asText(layout), html: asHtml(layout) };
}

function asText({ heading, lead, steps, figures = [], paragraphs = [], action, footer }: MailLayout): string {
  const title = singleLine(heading);
  const numbers = figures.map(({ label, value, note }) => singleLine(`${label}: ${value}${note ? ` (${note})` : ''}`));
  const parts = [
    `${title}\n${'='.repeat(Math.min(title.length, 72))}`,
    singleLine(lead),
    steps ? stepsText(steps) : '',
    numbers.join('\n'),
    ...paragraphs.map((paragraph) => singleLine(paragraph)),
    action ? `${singleLine(action.label)}:\n${action.url}` : '',
    ['--', ...footer.map((line) => singleLine(line))].join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const stepsText = ({ heading, items }: NonNullable<MailLayout['steps']>): string =>
  [
    `${singleLine(heading)}:`,
    ...items.map(
      ({ title, detail, url }, index) => `${index + 1}. ${singleLine(title)}\n   ${singleLine(detail)}\n   ${url}`,
    ),
  ].join('\n');

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const shown = (text: string) => escapeHtml(singleLine(text));

const paragraph = (text: string, style: string) => `<p dir="auto" style="margin:0;${style};${wrap}">${shown(text)}</p>`;

type Figure = NonNullable<MailLayout['figures']>[number];

const figureCell = ({ label, value, note = '' }: Figure) =>
  `<td width="50%" valign="top" style="padding:14px 16px;border:1px solid ${color.rule};${font}">` +
  `<div style="font-size:13px;line-height:18px;color:${color.muted}">${shown(label)}</div>` +
  `<div style="font-size:26px;line-height:34px;font-weight:600;color:${color.ink}">${shown(value)}</div>` +
  `<div style="font-size:13px;line-height:18px;color:${color.muted}">${shown(note)}</div></td>`;

/** Two in a row fit every screen. Not all mail programs support layouts that depend on the screen's width. */
function figureTable(figures: Figure[]): string {
  const rows: string[] = [];
  for (let index = 0; index < figures.length; index += 2)
    rows.push(
      `<tr>${figures
        .slice(index, index + 2)
        .map(figureCell)
        .join('')}</tr>`,
    );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">${rows.join('')}</table>`;
}

function stepsHtml({ heading, items }: NonNullable<MailLayout['steps']>): string {
  const rows = items.map(
    ({ title, detail, url }, index) =>
      `<tr><td width="28" valign="top" style="padding:10px 0;font-size:16px;line-height:23px;font-weight:700;color:${color.accent};${font}">${index + 1}.</td>` +
      `<td valign="top" style="padding:10px 0;${font}"><a href="${escapeHtml(url)}" dir="auto" style="font-size:15px;line-height:23px;font-weight:600;color:${color.ink};${wrap}">${shown(title)}</a>` +
      `${paragraph(detail, `font-size:13px;line-height:19px;color:${color.muted}`)}</td></tr>`,
  );
  return (
    `<h2 style="margin:0;font-size:16px;line-height:24px;font-weight:700;color:${color.ink}">${shown(heading)}</h2>` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rows.join('')}</table>`
  );
}

const button = ({ label, url }: NonNullable<MailLayout['action']>) =>
  `<a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;border-radius:6px;background:${color.accent};` +
  `color:#ffffff;font-size:16px;line-height:20px;font-weight:600;text-decoration:none;${font}">${shown(label)}</a>`;

function asHtml({ sender, heading, lead, steps, figures = [], paragraphs = [], action, footer }: MailLayout): string {
  const blocks = [
    paragraph(lead, `font-size:17px;line-height:26px;color:${color.ink}`),
    steps ? stepsHtml(steps) : '',
    figures.length > 0 ? figureTable(figures) : '',
    ...paragraphs.map((text) => paragraph(text, `font-size:15px;line-height:23px;color:${color.ink}`)),
    action ? button(action) : '',
  ];
  const rows = blocks
    .filter((block) => block !== '')
    .map((block) => `<tr><td style="padding-top:20px;${font}">${block}</td></tr>`);
  const small = footer.map((text) =>
    paragraph(text, `padding-top:6px;font-size:13px;line-height:19px;color:${color.muted}`),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${shown(heading)}</title>
</head>
<body style="margin:0;padding:0;background:${color.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${color.page}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:576px;text-align:left">
<tr><td style="padding:0 4px 12px;font-size:14px;line-height:20px;font-weight:700;color:${color.accent};${font}">${shown(sender)}</td></tr>
<tr><td style="padding:28px;background:#ffffff;border:1px solid ${color.rule};border-top:4px solid ${color.accent};border-radius:6px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
<tr><td style="${font}"><h1 dir="auto" style="margin:0;font-size:24px;line-height:32px;font-weight:700;color:${color.ink};${wrap}">${shown(heading)}</h1></td></tr>
${rows.join('\n')}
</table>
</td></tr>
<tr><td style="padding:12px 4px 0;${font}">
${small.join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
