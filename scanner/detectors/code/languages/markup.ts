import { Lang } from '@ast-grep/napi';
import { javascript } from './javascript.ts';
import type { Language } from './language.ts';
import { type Part, Places, partsBetween } from './places.ts';
import type { Template } from './templates.ts';

/** Names of values that are meant as HTML or created by the application itself. */
const madeAsHtml =
  /(?:html|svg|json(?:_?ld)?|css|styles?|scripts?|icons?|markup|csrf\w*|tokens?|widgets?|rendered|paginat(?:ion|or)|media|toc|diff|nav|menu|form|errors|assets?|help_?text)$/i;
/** Matches the expression with which a layout inserts the page. */
const inLayout =
  /^(?:body|content|contents|yield|children|main|slot|page|style|script|scripts|head|footer|header|defaultContent)$/;
/** The application's translated texts. */
const translated =
  /^(?:this\.)?\$?(?:i18n|translations?|lang|locales?|messages|strings|labels|t)\.|(?:^|\.)\$?(?:tc?|trans\w*|gettext|i18n)\(/;
/** Filters whose result is HTML or text for a script, or is escaped. */
const cleaning =
  /\|\s*(?:e|escape|force_escape|escapejs|striptags|strip_tags|bleach\w*|clean\w*|sanitize\w*|purify\w*|tojson|to_json|json\w*|dump|markdown\w*|md|trans\w*|t|translate|linebreaks\w*|urlize\w*|crispy|as_\w+|nl2br|inky\w*|inline_css|format_\w*currency|number_format|length|date|url_encode|urlencode|slugify|int|float)\b/;

/**
 * Page templates. Unescaped output becomes `_(x)`, and `autoescape(false)` marks a part without escaping. Output that
 * is surely meant as HTML is left out: layouts, translations, helpers, filters that escape.
 */
const pages: Template = {
  extensions: [
    'html',
    'htm',
    'jinja',
    'jinja2',
    'j2',
    'njk',
    'twig',
    'hbs',
    'handlebars',
    'mustache',
    'ejs',
    'pug',
    'jade',
    'blade',
  ],
  toCode(text, extension) {
    const places = new Places(text);
    if (extension === 'ejs') putScriptlets(places, text);
    else if (extension === 'pug' || extension === 'jade') putLines(places, text);
    else if (extension === 'blade') putBlade(places, text);
    else putMarkup(places, text);
    return places.toString();
  },
};

/** `<%- x %>` of EJS. */
function putScriptlets(places: Places, text: string): void {
  for (const { start, inner } of partsBetween(text, '<%-', '%>')) {
    const value = inner.replace(/[-_]$/, ' ');
    if (isWritten(value.trim()) && !inLayout.test(value.trim())) places.put(start, ` _(${value})`);
  }
}

/** `!{x}` and `p!= x` of Pug. */
function putLines(places: Places, text: string): void {
  for (const { start, inner } of partsBetween(text, '!{', '}'))
    if (isWritten(inner.trim()) && !inLayout.test(inner.trim())) places.put(start, `_(${inner})`);
  for (const line of text.matchAll(/^[ \t]*(?:[\w.#-]+: )*(?:[\w.#:-]+(?:\([^()\n]*\))?)?!= ([^\n]{1,300})$/gm)) {
    const value = line[1]!;
    const start = line.index + line[0].length - value.length;
    // One column to the left, to make room for the parenthesis.
    if (isWritten(value.trim()) && !inLayout.test(value.trim())) places.put(start - 3, `_(${value})`);
  }
}

/** `{!! $x !!}` of Blade. */
function putBlade(places: Places, text: string): void {
  for (const { start, inner } of partsBetween(text, '{!!', '!!}')) {
    const value = inner.replaceAll('->', ' .');
    if (isWritten(value.trim().replaceAll(' .', '.')) && !/^\s*\$(?:slot|content|body)\s*$/.test(value))
      places.put(start, ` _(${value})`);
  }
}

/** `{{ x|safe }}` of Jinja, Django and Nunjucks, `{{ x|raw }}` of Twig, `{{{x}}}` of Handlebars, `th:utext` of Thymeleaf. */
function putMarkup(places: Places, text: string): void {
  const tags = partsBetween(text, '{%', '%}');
  const results = new Set(tags.flatMap(({ inner }) => resultOf(inner) ?? []));
  for (const part of partsBetween(text, '{{', '}}')) putOutput(places, part, results);
  for (const { start, inner } of tags) {
    const setting = /^[-~]?\s*autoescape\s+(?:false|False|off)\b/.exec(inner);
    // A plain-text mail needs no escaping.
    if (setting && /<[a-z!]/i.test(text)) places.put(start, 'autoescape(false)');
  }
  for (const { start, inner } of partsBetween(text, 'th:utext="${', '}"'))
    if (isWritten(inner.trim())) places.put(start + 10, `_(${inner})`);
  for (const { start, inner } of partsBetween(text, '[(${', '})]'))
    if (isWritten(inner.trim())) places.put(start, `_(${inner})`);
  for (const { start, inner } of partsBetween(text, 'v-html="', '"'))
    if (isWritten(inner.trim())) places.put(start + 6, `_(${inner})`);
}

/** Returns the variable that gets the result of a tag, which is a function: `{% locales as all %}`. */
const resultOf = (tag: string): string | null =>
  /^[-~]?\s*(?!(?:with|for|from|import|set|block|include|embed)\b)\w+\b.*\sas\s+(\w+)\s*[-~]?$/.exec(tag)?.[1] ?? null;

/** `results`: variables with results of functions. */
function putOutput(places: Places, { start, inner }: Part, results: ReadonlySet<string>): void {
  // In Handlebars, only a name, not a helper with parameters.
  const triple = /^(?:\{|&)~?(\s*[\w.@/[\]-]+\s*)~?$/.exec(inner)?.[1];
  if (triple !== undefined) {
    const name = triple.trim().replace(/^this[./]|^(?:\.\.\/)+|^@\w+\./, '');
    if (isWritten(name) && !inLayout.test(name)) places.put(start, ` _(${triple.replaceAll(/[/@[\]-]/g, '_')})`);
    return;
  }
  const filters = inner.search(/(?<!\|)\|(?!\|)/);
  if (filters < 0 || !/\|\s*(?:safe|raw)\b/.test(inner) || cleaning.test(inner)) return;
  const value = inner.slice(0, filters).replace(/^[-~]/, ' ');
  if (isWritten(value.trim()) && !results.has(value.trim())) places.put(start, `_(${value})`);
}

/**
 * Returns whether an expression may be a value that people enter: not a function call, a constant or a value created as
 * HTML.
 */
function isWritten(value: string): boolean {
  if (value === '' || /^(?:["'`]|[\d.]+$|true$|false$|null$)/.test(value)) return false;
  if (/^[$\w]+(?:::\w+)?\(/.test(value) && !/^(?:nl2br|html_entity_decode|trim|old|request)\(/.test(value))
    return false;
  if (
    /^[A-Z]\w*(?:::|\.)|\b(?:e|escape\w*|clean|sanitize\w*|purify\w*|DOMPurify|JSON\.stringify|json_encode|render\w*|links|toHtml|include|html_?entities|htmlspecialchars|strip_tags)\(/.test(
      value,
    )
  )
    return false;
  // The application creates the results of its methods and its translations.
  if (/\.(?!get)\w+\(\)$/.test(value) || translated.test(value)) return false;
  const name = /([A-Za-z_][\w]*)(?:\(\))?["'\])]*$/.exec(value)?.[1];
  return name === undefined || !madeAsHtml.test(name);
}

/** Templates. Their expressions are parsed as JavaScript: rules need only the output expressions. */
export const template: Language = {
  ...javascript,
  name: 'template',
  parsers: Object.fromEntries(pages.extensions.map((extension) => [extension, Lang.JavaScript])),
  template: pages,
};
