/** The contrast of text on its background that WCAG 2 (level AA) asks for. */
export const minContrast = 4.5;

/** Returns the contrast of a colour `#rrggbb` with white, 1 to 21, as WCAG 2 defines it. */
export function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05);
}
