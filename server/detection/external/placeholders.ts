import type { DataSourceKind } from '@assay/scanner/contract/detector.ts';

/** The values of the placeholders in a tool's arguments and environment. */
export type PlaceholderValues = Partial<Record<Placeholder, string>>;

const anywhere = ['output', 'folder', 'database', 'cache', 'proxy', 'rules'] as const;
const byKind = {
  git_repository: ['directory', 'repository'],
  website: ['address', 'host', 'port', 'ip'],
  host: ['address', 'host', 'ip'],
  container_image: ['address'],
} as const;
export type Placeholder = (typeof anywhere)[number] | (typeof byKind)[keyof typeof byKind][number];

/** The parts of a tool's description that may contain placeholders. */
type Commands = {
  scan: Partial<Record<DataSourceKind, string[]>>;
  environment?: Record<string, string>;
  version: { arguments: string[] };
  update?: { arguments: string[] };
  rules?: { online: string };
};

const pattern = /\{([a-z_]+)\}/g;

const placeholdersIn = (texts: string[]): string[] =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1]!));

/** Returns whether a scan of this kind of data source uses the placeholder, in its arguments or environment. */
export function uses(
  { scan, environment }: Pick<Commands, 'scan' | 'environment'>,
  kind: DataSourceKind,
  placeholder: Placeholder,
): boolean {
  const texts = [...(scan[kind] ?? []), ...Object.values(environment ?? {})];
  return placeholdersIn(texts).includes(placeholder);
}

/** Replaces the placeholders of a text. Braces around other words stay unchanged. */
export const fillIn = (text: string, values: PlaceholderValues): string =>
  text.replace(pattern, (all, name: Placeholder) => values[name] ?? all);

/** Returns the error in a description's placeholders, or null. */
export function checkPlaceholders({ scan, environment, version, update, rules }: Commands): string | null {
  for (const [kind, texts] of Object.entries(scan)) {
    const known: readonly string[] = [...anywhere, ...byKind[kind as keyof typeof byKind]];
    const unknown = placeholdersIn(texts).find((name) => !known.includes(name));
    if (unknown) return `scan.${kind} has {${unknown}}; it can have ${braced(known)}.`;
  }
  const others: Array<[string, string[]]> = [
    ['environment', Object.values(environment ?? {})],
    ['update.arguments', update?.arguments ?? []],
    ['version.arguments', version.arguments],
  ];
  for (const [where, texts] of others) {
    const unknown = placeholdersIn(texts).find((name) => !['folder', 'database', 'cache', 'proxy'].includes(name));
    if (unknown) return `${where} has {${unknown}}; it can have {folder}, {database}, {cache} and {proxy}.`;
  }
  const used = placeholdersIn([...Object.values(scan).flat(), ...Object.values(environment ?? {})]);
  if (used.includes('database') && !update) return 'it uses {database} and has no update to fill it.';
  if (used.includes('rules') && !rules) return 'it uses {rules} and does not say which: rules.online.';
  return null;
}

const braced = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ');
