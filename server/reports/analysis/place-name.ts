import type { Location } from '../../findings/detection.ts';
import { plainText } from '../plain-text.ts';

const maxPlace = 240;

type Place = Pick<Location, 'path' | 'start_line' | 'url' | 'package'>;

/** Returns where a finding is, in one line: `django 3.2.0, requirements.txt`, `src/db.ts:12` or an address; null if not known. */
export function placeName({ path, start_line: line, url, package: found }: Place): string | null {
  const named = found && [found.name, found.version ?? ''].join(' ').trim();
  const place = path && !found && line !== null ? `${path}:${line}` : (path ?? url);
  const parts = [named, place].filter((part) => part);
  return parts.length === 0 ? null : plainText(parts.join(', '), { line: true, max: maxPlace });
}
