import { Places, partsBetween } from './places.ts';
import type { Template } from './templates.ts';

const script = /<script\b[^<>]{0,500}>/gi;

/**
 * Components of Vue and Svelte: their scripts, and what their templates write without escaping, as `__html(x)`: `v-html="x"`
 * and `{@html x}`.
 */
export const component: Template = {
  extensions: ['vue', 'svelte'],
  toCode(text) {
    const places = new Places(text);
    for (const opening of text.matchAll(script)) {
      const start = opening.index + opening[0].length;
      const end = text.indexOf('</script', start);
      places.put(start, text.slice(start, end < 0 ? undefined : end));
    }
    for (const { start, inner } of partsBetween(text, 'v-html="', '"')) places.put(start, ` __html(${inner})`);
    for (const { start, inner } of partsBetween(text, '{@html ', '}')) places.put(start, `__html(${inner})`);
    return places.toString();
  },
};
