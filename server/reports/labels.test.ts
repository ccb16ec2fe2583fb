import assert from 'node:assert/strict';
import { test } from 'node:test';
import { severities } from '@assay/scanner/contract/severity.ts';
import { accentColor, count, inkColor, kindName, mutedColor, severityColors, severityFills } from './labels.ts';

/** Returns the contrast of two colors as WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red, green, blue] = [1, 3, 5].map((start) => {
      const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

test('text has a contrast of 4.5:1 on white and on areas, and areas have 3:1 on white', () => {
  for (const color of [accentColor, inkColor, mutedColor, ...Object.values(severityColors)])
    assert.ok(contrast(color, '#ffffff') >= 4.5, color);
  for (const severity of severities) {
    const { fill, ink } = severityFills[severity];
    assert.ok(contrast(fill, '#ffffff') >= 3, fill);
    assert.ok(contrast(fill, ink) >= 4.5, fill);
  }
});

test('one is singular, everything else is plural, and thousands have separators', () => {
  assert.equal(count(0, 'finding'), '0 findings');
  assert.equal(count(1, 'finding'), '1 finding');
  assert.equal(count(1_234, 'finding'), '1,234 findings');
  assert.equal(count(2, 'entry', 'entries'), '2 entries');
});

test('an unknown kind is shown by its own name', () => {
  assert.deepEqual([kindName('git_repository'), kindName('mobile_app')], ['Git repository', 'Mobile app']);
});
