import type { Scope } from '@assay/client';

/** The resources of scopes with their names, in the order of the dialog. */
export const scopeResources: [id: string, name: string][] = [
  ['findings', 'Findings'],
  ['scans', 'Scans and imports'],
  ['reports', 'Reports'],
  ['sources', 'Data sources'],
  ['organization', 'Organization'],
];

/** The scopes that read everything and change nothing. */
export const readScopes = scopeResources.map(([id]) => `${id}:read` as Scope);

const and = new Intl.ListFormat('en');

/** Says what a token with these scopes may do: "Reads findings and reports, writes reports". Null means no limit. */
export function scopesText(scopes: readonly string[] | null, whole: string): string {
  if (scopes === null) return whole;
  const parts = (['read', 'write'] as const).flatMap((verb) => {
    const names = scopeResources
      .filter(([id]) => scopes.includes(`${id}:${verb}`))
      .map(([, name]) => name.toLowerCase());
    if (names.length === 0) return [];
    return [`${verb}s ${names.length === scopeResources.length ? 'everything' : and.format(names)}`];
  });
  const text = parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
