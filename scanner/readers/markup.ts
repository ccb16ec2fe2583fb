/** Returns the text of HTML in a scanner's report: a line for each paragraph, break and item. */
export const withoutMarkup = (text: string | undefined): string | undefined =>
  text
    ?.replace(/<(?:\/p|br\s*\/?|\/li)>\s*/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .trim();
