/**
 * Compiles enough patterns that V8 no longer optimises new ones, as in a process that has worked for long. V8 13.6
 * then ignores the case-insensitivity of alternatives in `(?i:…|…)`.
 */
export function compileManyPatterns(): void {
  for (let index = 0; index < 4_000; index++) {
    const pattern = new RegExp(
      `(?:abc${index}|def${index}|ghi[a-z]{1,20}${index}|x(?:y|z)*${index}\\s*\\(\\s*[^;\\n]{0,80}q){1,3}`,
    );
    for (let run = 0; run < 3; run++) pattern.test(`hello world xyxyx ghiabc ${run} `.repeat(3));
  }
}
