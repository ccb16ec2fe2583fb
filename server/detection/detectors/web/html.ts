import { Parser } from 'htmlparser2';

export type HtmlResource = { tag: string; url: URL; hasIntegrity: boolean };
type HtmlForm = { action: URL; hasPassword: boolean };

/** What the rules ask of a page's HTML. Addresses are absolute; those that are none are left out. */
export type Html = {
  /** What the browser loads by itself. `active` ones (scripts, style sheets, frames) can change the page. */
  active: HtmlResource[];
  passive: HtmlResource[];
  forms: HtmlForm[];
  /** Policies in `<meta http-equiv>`. */
  contentSecurityPolicies: string[];
  referrerPolicy: string | null;
  generator: string | null;
  title: string;
};

/** Far beyond what a page holds, so that a hostile one takes no memory. */
const mostResources = 5_000;
const mostDepth = 512;
const chunkLength = 8_192;

/** Reads HTML as browsers roughly do: nothing in it is an error. */
export function readHtml(text: string, pageUrl: URL): Html {
  const html: Html = {
    ...{ active: [], passive: [], forms: [], contentSecurityPolicies: [] },
    ...{ referrerPolicy: null, generator: null, title: '' },
  };
  let base = pageUrl;
  let form: HtmlForm | null = null;
  let inTitle = false;
  let depth = 0;
  const add = (list: HtmlResource[], tag: string, address: string | undefined, attributes: Attributes) => {
    const url = address === undefined ? null : URL.parse(address.trim(), base.href);
    if (url && list.length < mostResources)
      list.push({ tag, url, hasIntegrity: Boolean(attributes.integrity?.trim()) });
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
          if (form && html.forms.length < mostResources) html.forms.push(form);
        } else if (tag === 'input' && attributes.type?.toLowerCase() === 'password') {
          // A page whose script builds the request has the field outside of any form.
          if (form) form.hasPassword = true;
          else if (html.forms.length < mostResources) html.forms.push({ action: pageUrl, hasPassword: true });
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
  // The parser's time grows with the square of the depth: what browsers would cut off too is not read on.
  for (let start = 0; start < text.length && depth < mostDepth; start += chunkLength) {
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
