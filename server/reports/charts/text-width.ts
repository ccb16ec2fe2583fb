/** Widths of Inter's letters in parts of the font size, rounded up; of other scripts a whole one. */
const widthOf = (character: string): number => {
  if (/[il.,:;'|!j]/.test(character)) return 0.31;
  if (/[ftr()[\]{} /\\-]/.test(character)) return 0.41;
  if (/[mwMW@%—…]/.test(character)) return 0.95;
  if (/[A-Z&]/.test(character)) return 0.75;
  if (/[\0-\u024F]/.test(character)) return 0.64;
  return /[\u0370-\u06FF]/.test(character) ? 0.72 : /\p{M}/u.test(character) ? 0 : 1.05;
};

/** About how wide a text is, without its font at hand: rather too wide than too narrow. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width * fontSize;
}
