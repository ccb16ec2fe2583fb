import type { JsonObject } from '../../json/json.ts';
import { firstText, list, object, text } from '../../values.ts';
import type { SarifRule, SarifTool } from './sarif-rules.ts';

/**
 * Returns a message with its arguments filled in and its links to locations (`[name](1)`) as plain text, or undefined.
 */
export function messageOf(message: JsonObject, rule: SarifRule | undefined, tool: SarifTool): string | undefined {
  const id = text(message.id);
  const known = id === undefined ? {} : object(rule?.messages[id] ?? tool.messages[id]);
  const found = firstText(message.text, known.text, message.markdown, known.markdown);
  if (found === undefined) return undefined;
  const values = list(message.arguments);
  const filled = found.replace(/\{(\d{1,3})\}/g, (whole, place) =>
    typeof values[place] === 'string' ? values[place] : whole,
  );
  return filled.replace(/\[((?:[^\][\\]|\\.)*)\]\(\d+\)/g, '$1').trim();
}
