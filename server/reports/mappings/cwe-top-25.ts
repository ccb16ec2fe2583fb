import type { Standard } from './standard.ts';
import { weaknessName } from './weaknesses.ts';

/** In the order of their rank, as MITRE and CISA published them in December 2025 (compared rank by rank in November 2026). */
const ranked = [
  ...[79, 89, 352, 862, 787, 22, 416, 125, 78, 94, 120, 434, 476, 121, 502, 122, 863, 20, 284, 200, 306, 918, 77],
  ...[639, 770],
];

export const cweTop25: Standard = {
  id: 'cwe_top_25',
  name: 'CWE Top 25 2025',
  source: 'https://cwe.mitre.org/top25/archive/2025/2025_cwe_top25.html',
  packages: null,
  categories: ranked.map((number) => ({
    id: `CWE-${number}`,
    name: weaknessName(`CWE-${number}`) ?? `CWE-${number}`,
    weaknesses: [number],
  })),
};
