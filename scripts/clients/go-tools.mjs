// Runs Go for the Go client. It builds into the clone; the tools (clients/go/tools) come from the module proxy.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const tools = join(root, 'clients', 'go', 'tools');

const goCache = join(root, 'node_modules', '.cache', 'go');

export const goEnvironment = {
  ...process.env,
  GOCACHE: join(goCache, 'build'),
  GOMODCACHE: join(goCache, 'modules'),
  GOFLAGS: '-modcacherw -buildvcs=false',
  GOWORK: 'off',
  // The tools may need a newer Go than the machine has; Go downloads it.
  GOTOOLCHAIN: process.env.GOTOOLCHAIN ?? 'auto',
};

/** Runs a program in a folder (relative to the root of the clone) and returns its output. */
export async function runProgram(program, args, folder, env = {}) {
  const cwd = isAbsolute(folder) ? folder : join(root, folder);
  try {
    const options = { cwd, env: { ...goEnvironment, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return (await run(program, args, options)).stdout;
  } catch (error) {
    const said = `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message;
    throw new Error(`${program} ${args.join(' ')} failed:\n${said}`);
  }
}

export const runGo = (args, folder, env) => runProgram('go', args, folder, env);

const packages = {
  'oapi-codegen': 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen',
  staticcheck: 'honnef.co/go/tools/cmd/staticcheck',
  pack: './pack',
};

/** Returns the path of a tool, built or not, for the current version of clients/go/tools. */
function toolPath(name) {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'pack/main.go']) hash.update(readFileSync(join(tools, file)));
  return join(goCache, 'tools', hash.digest('hex').slice(0, 16), name);
}

/** Returns the path of a tool, building it if necessary. */
export function goTool(name) {
  const program = toolPath(name);
  if (existsSync(program)) return program;
  mkdirSync(dirname(program), { recursive: true });
  // If two processes build it at once, the second result replaces the first.
  const built = `${program}.${process.pid}`;
  const build = spawnSync('go', ['build', '-o', built, packages[name]], {
    cwd: tools,
    env: goEnvironment,
    encoding: 'utf8',
  });
  if (build.status !== 0) throw new Error(`${name} could not be built:\n${build.stderr ?? build.error?.message}`);
  renameSync(built, program);
  return program;
}

/** Builds the missing tools, so that no test waits for them. */
export function installGoTools(say) {
  const missing = Object.keys(packages).filter((name) => !existsSync(toolPath(name)));
  if (missing.length > 0) say('Building what generates, checks and packs the Go client …');
  for (const name of missing) goTool(name);
}
