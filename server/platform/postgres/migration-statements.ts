/** A step of the schema: `0001_platform.sql` is version 1, named `platform`. */
export type Migration = { version: number; name: string; sql: string; checksum: string };

/** A quoted part of SQL, or a comment, in which a semicolon does not end a statement. */
const opaque = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g;

/** Returns the statements of a migration, without comments and with single blanks outside quotes. */
export function splitStatements(sql: string): string[] {
  const statements = [''];
  const add = (text: string) => {
    const before = statements.pop()!;
    statements.push(/\s$/.test(before) ? before + text.trimStart() : before + text);
  };
  let end = 0;
  for (const match of sql.matchAll(opaque)) {
    add(sql.slice(end, match.index).replaceAll(/\s+/g, ' '));
    end = match.index + match[0].length;
    if (match[0] === ';') statements.push('');
    else add(/^(--|\/\*)/.test(match[0]) ? ' ' : match[0]);
  }
  add(sql.slice(end).replaceAll(/\s+/g, ' '));
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/**
 * The first line of a migration whose statements run one by one, each in a separate transaction or, CONCURRENTLY, in
 * none.
 */
const outsideMark = /^-- runs outside of a transaction\b/;

export const runsOutside = (sql: string): boolean => outsideMark.test(sql);

/**
 * The modes in which a migration locks tables, strongest last. The first allows others to read and lock rows, the
 * second to read.
 */
export const lockModes = ['SHARE', 'EXCLUSIVE', 'ACCESS EXCLUSIVE'] as const;
type LockMode = (typeof lockModes)[number];

/** The tables, or the indexes of tables, that each kind of statement locks. */
const lockedBy: [pattern: RegExp, mode: LockMode][] = [
  [/^create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?(?:\w+\s+)?on\s+(?:only\s+)?(\w+)/gi, 'SHARE'],
  [/^(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?(\w+)/gi, 'EXCLUSIVE'],
  [/^create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\s[\s\S]*?\son\s+(\w+)/gi, 'EXCLUSIVE'],
  [/\breferences\s+(\w+)/gi, 'EXCLUSIVE'],
  [/^(?:alter|drop)\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)\b(?!\s+validate\b)/gi, 'ACCESS EXCLUSIVE'],
  [/^drop\s+index\s+(?:if\s+exists\s+)?(\w+)/gi, 'ACCESS EXCLUSIVE'],
  [/^truncate\s+(?:table\s+)?(?:only\s+)?(\w+)/gi, 'ACCESS EXCLUSIVE'],
  [/^(?:create|alter|drop)\s+policy\s[\s\S]*?\son\s+(\w+)/gi, 'ACCESS EXCLUSIVE'],
  [/^drop\s+trigger\s[\s\S]*?\son\s+(\w+)/gi, 'ACCESS EXCLUSIVE'],
];

/** Matches statements that drop foreign keys: the referenced tables are then locked like the table itself. */
const dropsKeys = /^drop\s+table\b|^alter\s+table\b[\s\S]*\bdrop\s+(?:constraint|column)\b/i;
const droppedFrom = /^\w+\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/i;

/** Returns the tables that statements drop, or from which they drop constraints or columns. */
export const listDropping = (statements: string[]): string[] =>
  statements.filter((text) => dropsKeys.test(text)).map((text) => droppedFrom.exec(text)![1]!.toLowerCase());

/**
 * Returns the relations that statements name and lock, each with the strongest mode, sorted by name. Indexes appear
 * under their own names, and relations that the migration itself creates are included.
 */
export function lockedRelations(statements: string[]): { name: string; mode: LockMode }[] {
  const strongest = new Map<string, LockMode>();
  for (const statement of statements) {
    // Creating a function does not lock anything that its body mentions.
    if (/^create\s+(or\s+replace\s+)?function\b/i.test(statement)) continue;
    for (const [pattern, mode] of lockedBy) {
      for (const [, name] of statement.matchAll(pattern)) {
        const known = strongest.get(name!.toLowerCase());
        if (known && lockModes.indexOf(known) >= lockModes.indexOf(mode)) continue;
        strongest.set(name!.toLowerCase(), mode);
      }
    }
  }
  return [...strongest].map(([name, mode]) => ({ name, mode })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
