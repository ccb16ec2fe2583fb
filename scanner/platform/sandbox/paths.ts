import { closeSync, lstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** The PATH in which programs are found, and which is passed to them. */
export const programPath = process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin';

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const maxLinks = 20;

/** Returns a path and every path along its links, the real path last. */
export function withLinks(path: string): string[] {
  const found = [path];
  try {
    for (let at = path; found.length < maxLinks && lstatSync(at).isSymbolicLink(); ) {
      at = resolve(dirname(at), readlinkSync(at));
      found.push(at);
    }
    const real = realpathSync(path);
    if (!found.includes(real)) found.push(real);
  } catch {
    // The link is broken.
  }
  return found;
}

/** Folders that contain files of more than one program. */
const shared = () => ['/', '/etc', '/home', '/mnt', '/opt', '/root', '/srv', '/tmp', '/var', homedir()];

/** Returns the folder of an installation that a program belongs to: the parent of its `bin`, or its own folder. */
function installationOf(program: string): string {
  const folder = dirname(program);
  const parent = dirname(folder);
  const isBroad = shared().some((one) => isWithin(one, parent)) || basename(parent) === '.local';
  return /^s?bin$/.test(basename(folder)) && !isBroad ? parent : folder;
}

/** Returns the interpreter in the first line of a script, or null. */
function interpreterOf(path: string): string | null {
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(512);
      const text = start.toString('latin1', 0, readSync(file, start, 0, start.length, 0));
      return /^#!\s*(\/\S+)/.exec(text)?.[1] ?? null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function lookUp(command: string, path: string): string | null {
  if (isAbsolute(command)) return command;
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const found = join(folder, command);
    if (lstatSync(found, { throwIfNoEntry: false })) return found;
  }
  return null;
}

/**
 * Returns the paths that must be readable for a program to run: the program, its installation, and its interpreter's.
 * Tools are often links into a separate folder, such as a Python virtual environment.
 */
export function programFiles(command: string): string[] {
  const program = lookUp(command, programPath);
  if (program === null) return [];
  const files = new Set<string>();
  const add = (one: string, depth: number) => {
    for (const place of withLinks(one)) {
      files.add(place);
      files.add(installationOf(place));
    }
    const interpreter = depth < 3 ? interpreterOf(one) : null;
    if (interpreter !== null) add(interpreter, depth + 1);
    // A virtual environment's interpreter is a link to the one that created it, whose libraries it uses.
    const python = join(dirname(withLinks(one).at(-1)!), 'python');
    if (depth < 3 && python !== one && lstatSync(python, { throwIfNoEntry: false })) add(python, depth + 1);
  };
  add(program, 0);
  return [...files];
}
