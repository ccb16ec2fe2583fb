import { Parser } from 'htmlparser2';

export type HtmlResource = { tag: string; url: URL; hasIntegrity: boolean };
type HtmlForm = { action: URL; hasPassword: boolean };

/** The parts of a page's HTML that the rules need. URLs are absolute; invalid ones are left out. */
export type Html = {
  /** Resources that the browser loads by itself. `active` ones (scripts, style sheets, frames) can change the page. */
  active: HtmlResource[];
  passive: HtmlResource[];
  forms: HtmlForm[];
  /** Policies in `<meta http-equiv>`. */
  contentSecurityPolicies: string[];
  referrerPolicy: string | null;
  generator: string | null;
  title: string;
};

/** Far more than real pages have; keeps a hostile page from filling the memory. */
const maxResources = 5_000;
const maxDepth = 512;
const chunkLength = 8_192;

/** Reads HTML roughly as browsers do. Never throws on malformed HTML. */
export function readHtml(text: string, pageUrl: URL): Html {
  const html: Html = {
    active: [],
    passive: [],
    forms: [],
    contentSecurityPolicies: [],
    referrerPolicy: null,
    generator: null,
    title: '',
  };
  let base = pageUrl;
  let form: HtmlForm | null = null;
  let inTitle = false;
  let depth = 0;
  const add = (list: HtmlResource[], tag: string, address: string | undefined, attributes: Attributes) => {
    const url = address === undefined ? null : URL.parse(address.trim(), base.href);
    if (url && list.length < maxResources) list.push({ tag, url, hasIntegrity: Boolean(attributes.integrity?.trim()) });
  };
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth++;
        inTitle = tag === 'title';
        if (tag === 'base' && base === pageUrl) base = URL.parse(attributes.href ?? '', pageUrl.href) ?? pageUrl;
        else if (tag === 'meta') readMeta(attributes, html);
        else if (tag === 'form') {
          const action = URL.parse(attributes.action?.trim() || pageUrl.href, base.href);
          form = action && { action, hasPassword: false };
          if (form && html.forms.length < maxResources) html.forms.push(form);
        } else if (tag === 'input' && attributes.type?.toLowerCase() === 'password') {
          // A page whose script sends the request can have the field outside a form.
          if (form) form.hasPassword = true;
          else if (html.forms.length < maxResources) html.forms.push({ action: pageUrl, hasPassword: true });
        } else if (tag === 'link') {
          if (/(^|\s)(stylesheet|modulepreload)(\s|$)/i.test(attributes.rel ?? '')) {
            add(html.active, tag, attributes.href, attributes);
          }
        } else if (/^(script|iframe|embed)$/.test(tag)) add(html.active, tag, attributes.src, attributes);
        else if (tag === 'object') add(html.active, tag, attributes.data, attributes);
        else if (/^(img|audio|video|source)$/.test(tag)) add(html.passive, tag, attributes.src, attributes);
      },
      ontext(content) {
        if (inTitle && html.title.length < 200) html.title += content;
      },
      onclosetag(tag) {
        depth--;
        if (tag === 'form') form = null;
        inTitle = false;
      },
    },
    { decodeEntities: true },
  );
  // The parser's time grows with the square of the depth, so reading stops where browsers stop too.
  for (let start = 0; start < text.length && depth < maxDepth; start += chunkLength) {
    parser.write(text.slice(start, start + chunkLength));
  }
  parser.end();
  return html;
}

type Attributes = Record<string, string>;

function readMeta(attributes: Attributes, html: Html) {
  const content = attributes.content ?? '';
  const name = attributes.name?.toLowerCase();
  if (attributes['http-equiv']?.toLowerCase() === 'content-security-policy') html.contentSecurityPolicies.push(content);
  else if (name === 'referrer') html.referrerPolicy = content;
  else if (name === 'generator') html.generator ??= content;
}
