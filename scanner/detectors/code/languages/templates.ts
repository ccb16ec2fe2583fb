/** Template languages in which code of the language is embedded. */
export type Template = {
  extensions: string[];
  /** Returns the code at its original position: everything else becomes white space. */
  toCode(text: string, extension: string): string;
};

export const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

type Embedded = { opening: string; code: string; closing: string };

/**
 * Replaces everything but the code between `<%` and `%>`. `write` returns code of the same length for a part, depending
 * on the mark after `<%`, such as `=`.
 */
function keepScriptlets(
  text: string,
  marks: RegExp,
  write: (part: Embedded, mark: string) => string,
  writeText: (text: string) => string = blank,
): string {
  let code = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf('<%', at);
    const end = start < 0 ? -1 : text.indexOf('%>', start + 2);
    if (end < 0) return code + writeText(text.slice(at));
    marks.lastIndex = start + 2;
    const mark = marks.exec(text)?.[0] ?? '';
    const part = {
      opening: `<%${mark}`,
      code: text.slice(start + 2 + mark.length, Math.max(end, start + 2 + mark.length)),
      closing: '%>',
    };
    code += writeText(text.slice(at, start)) + write(part, mark);
    at = end + 2;
  }
}

/** ERB, where `<%== x %>` is the same as `raw x`. */
export const erb: Template = {
  extensions: ['erb'],
  toCode: (text) =>
    keepScriptlets(text, /==|[=#%-]|/y, ({ opening, code, closing }, mark) => {
      if (mark === '#' || mark === '%') return blank(opening + code + closing);
      const start = mark === '==' ? 'raw ' : blank(opening);
      return `${start}${code.endsWith('-') ? `${code.slice(0, -1)} ` : code}; `;
    }),
};

/** JSP, where `<%= x %>` and `${param.x}` write without escaping. They become `_(x)`. */
export const jsp: Template = {
  extensions: ['jsp'],
  toCode: (text) =>
    keepScriptlets(
      text,
      /--|[=@!]|/y,
      ({ opening, code, closing }, mark) => {
        if (mark === '--' || mark === '@') return blank(opening + code + closing);
        return mark === '=' ? ` _(${code});` : `${blank(opening)}${code}; `;
      },
      keepParameters,
    ),
};

/** Matches the value of a tag that doesn't escape. */
const unescaped = /\$(\{)([\w.[\]"']+)\}/;
const parameter = /<\w+:[^<>]{0,500}|\$(\{)((?:param|header)(?:\.\w+|\["\w+"\]|\['\w+'\]))\}/g;

/** Keeps `${param.x}` outside of library tags, which escape it (`<c:out value="${param.x}"/>`) or only compare. */
function keepParameters(text: string): string {
  let code = '';
  let at = 0;
  for (const match of text.matchAll(parameter)) {
    const own = match[1] ? match : /escapeXml=["']false["']/.test(match[0]) ? unescaped.exec(match[0]) : null;
    if (!own) continue;
    const start = match[1] ? match.index : match.index + own.index;
    code += `${blank(text.slice(at, start))}${match[1] ? '_' : '$'}(${own[2]})`;
    at = start + own[0].length;
    if (at < text.length && text[at] !== '\n') {
      code += ';';
      at++;
    }
  }
  return code + blank(text.slice(at));
}

const unescapedInRazor = /@(?:Html\.Raw|\(new (?:[\w.]+\.)?HtmlString)\(/g;

/** Razor. Only `@Html.Raw(…)` and `@(new HtmlString(…))` are kept: all other output is escaped. */
export const razor: Template = {
  extensions: ['cshtml'],
  toCode(text) {
    let code = '';
    let at = 0;
    for (;;) {
      unescapedInRazor.lastIndex = at;
      const opening = unescapedInRazor.exec(text);
      const end = opening ? closingOf(text, unescapedInRazor.lastIndex - 1) : -1;
      if (!opening || end < 0) return code + blank(text.slice(at));
      code += `${blank(text.slice(at, opening.index))};${text.slice(opening.index + 1, end + 1).replace(/^\(/, ' ')}`;
      // The next statement starts with a semicolon; the last statement needs one at its end.
      at = end + 1;
      if (at < text.length && text[at] !== '\n' && text[at] !== '@') {
        code += ';';
        at++;
      }
    }
  },
};

const maxExpression = 2_000;

/** Returns the index of the parenthesis that closes the one at `start`, or -1. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < Math.min(text.length, start + maxExpression); at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}
