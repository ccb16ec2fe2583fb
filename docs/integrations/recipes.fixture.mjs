// Shared by the tests of the recipes: a running Assay with findings, and programs to start and stop.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, HostedInstallation } from '../../tests/harness/installation.ts';

/** Returns a SARIF file with these results: `{ rule, text, path, level }`. */
const sarif = (results, tool = 'Pipeline') =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool, rules: [] } },
        results: results.map(({ rule, text, path, level = 'error' }) => ({
          ruleId: rule,
          level,
          message: { text },
          locations: [{ physicalLocation: { artifactLocation: { uri: path }, region: { startLine: 3 } } }],
        })),
      },
    ],
  });

/** A running Assay, an empty folder, and the environment for a script. */
export class Setting {
  installation = new HostedInstallation();
  folder = '';
  #programs = [];

  async start() {
    this.folder = await mkdtemp(join(tmpdir(), 'assay-recipe-'));
    await this.installation.start();
  }

  get environment() {
    const { token, origin } = this.installation;
    return { PATH: process.env.PATH, HOME: this.folder, ASSAY_TOKEN: token, ASSAY_BASE_URL: `${origin}/api/v1` };
  }

  ask(method, path, json) {
    return this.installation.ask(method, path, json);
  }

  /** Imports results into the data source with this name, creating it first if necessary; returns its id. */
  async import(name, results) {
    const { data } = await this.ask('GET', '/data-sources');
    const known = data.find((dataSource) => dataSource.name === name);
    const { id } = known ?? (await this.ask('POST', '/data-sources', { kind: 'upload', name }));
    const path = `/data-sources/${id}/imports?format=sarif&close_missing=true`;
    const response = await this.installation.call('POST', path, { raw: sarif(results) });
    if (response.status !== 202) throw new Error(`${response.status} ${response.text}`);
    await this.installation.ended(response.body.id);
    return id;
  }

  async findings(query = '') {
    return (await this.ask('GET', `/findings?limit=200${query}`)).data;
  }

  /** Starts a program; `kill` ends it at once, `stop` like a supervisor. */
  run(command, args, environment = {}) {
    const options = {
      cwd: this.folder,
      env: { ...this.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    };
    const child = spawn(command, args, options);
    const program = { child, output: '', errors: '' };
    child.stdout.on('data', (chunk) => {
      program.output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      program.errors += chunk;
    });
    program.ended = new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
    program.end = async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await program.ended;
    };
    program.stop = () => program.end('SIGTERM');
    program.kill = () => program.end('SIGKILL');
    this.#programs.push(program);
    return program;
  }

  /** Runs a program to completion; returns its exit code and output. */
  async complete(command, args, environment) {
    const program = this.run(command, args, environment);
    return { code: await program.ended, output: program.output, errors: program.errors };
  }

  async remove() {
    for (const program of this.#programs) await program.kill();
    await this.installation.remove();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export { eventually };
