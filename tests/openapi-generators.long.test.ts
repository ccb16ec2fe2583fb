import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonWith } from '../server/reports/writers/python.fixture.ts';
import { goProgram, npmPackages } from './harness/generators.ts';
import { HostedInstallation } from './harness/installation.ts';

const run = promisify(execFile);
const description = fileURLToPath(new URL('../openapi.json', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'assay-generators-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Creating an environment costs more than what runs in it. */
const pythonTools = () => pythonWith('openapi-spec-validator==0.9.0', 'openapi-python-client==0.29.1');
const runtime = 'github.com/oapi-codegen/runtime';

test('Spectral finds nothing in the description', async () => {
  const modules = await npmPackages('@stoplight/spectral-cli@6.16.3');
  const rules = join(folder, 'spectral.json');
  await writeFile(rules, JSON.stringify({ extends: ['spectral:oas'] }));
  const program = join(modules, '@stoplight/spectral-cli/dist/index.js');
  const lint = ['lint', '--fail-severity', 'hint', '-f', 'json', '-r', rules, description];
  const { stdout } = await run(process.execPath, [program, ...lint]);
  assert.deepEqual(JSON.parse(stdout.slice(stdout.indexOf('['), stdout.lastIndexOf(']') + 1)), []);
});

test('openapi-spec-validator finds nothing in the description', async () => {
  const python = await pythonTools();
  const { stdout } = await run(python, ['-m', 'openapi_spec_validator', description]);
  assert.match(stdout, /OK/);
});

test('the types that openapi-typescript generates compile', async () => {
  const modules = await npmPackages('openapi-typescript@7.13.0', 'typescript@5.9.3');
  const types = join(folder, 'types.ts');
  const generator = join(modules, 'openapi-typescript/bin/cli.js');
  // Both read files of the working directory: redocly.yaml, and the types of the workspace.
  await run(process.execPath, [generator, description, '-o', types], { cwd: folder });
  await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '--noEmit', '--strict', types], { cwd: folder });
});

test('the client that openapi-python-client generates has every endpoint and imports', async () => {
  const python = await pythonTools();
  const config = join(folder, 'python.json');
  await writeFile(config, JSON.stringify({ post_hooks: [] }));
  const output = join(folder, 'assay_client');
  const options = ['generate', '--path', description, '--output-path', output, '--meta', 'none', '--config', config];
  // Run as a module: the environment was moved into place, and its scripts contain the path where it was created.
  const generator = ['-m', 'openapi_python_client', ...options, '--fail-on-warning'];
  const { stdout } = await run(python, generator, { env: { ...process.env, NO_COLOR: '1' } });
  assert.doesNotMatch(stdout, /warning/i);
  const importAll = `import importlib, pkgutil, assay_client
modules = [module.name for module in pkgutil.walk_packages(assay_client.__path__, 'assay_client.')]
for name in modules: importlib.import_module(name)
print(len(modules))`;
  const imported = await run(python, ['-c', importAll], { cwd: folder, env: { ...process.env, PYTHONPATH: folder } });
  assert.ok(Number(imported.stdout) > 100);
});

/**
 * Calls a service: the generated code finds the type of each response, including errors, by its status and media
 * type.
 */
const callingProgram = `package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	assay "assay.example/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	sign := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ASSAY_TOKEN"))
		return nil
	}
	client := must(assay.NewClientWithResponses(os.Getenv("ASSAY_URL"), assay.WithRequestEditorFn(sign)))
	findings := must(client.ListFindingsWithResponse(ctx, nil)).JSON200
	changed := must(client.UpdateFindingWithResponse(ctx, findings.Data[0].Id, nil, assay.FindingUpdate{Tags: &[]string{"pci"}}))
	missing := must(client.GetFindingWithResponse(ctx, "fnd_01jd3y0c9vf3q8r7s6t5v4w3x2", nil))
	json.NewEncoder(os.Stdout).Encode([]any{len(findings.Data), changed.JSON200.Tags, missing.JSON404.Error.Code})
}
`;

test('the client that oapi-codegen generates compiles, and decodes the responses of a service', async () => {
  const program = await goProgram('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', 'v2.8.2');
  const module = await mkdtemp(join(folder, 'go-'));
  const { stdout } = await run(program, ['-generate', 'types,client', '-package', 'assay', description], {
    maxBuffer: 64 * 1024 * 1024,
  });
  await writeFile(join(module, 'assay.go'), stdout);
  await writeFile(join(module, 'go.mod'), `module assay.example/client\n\ngo 1.24\n\nrequire ${runtime} v1.8.0\n`);
  await mkdir(join(module, 'call'));
  await writeFile(join(module, 'call/main.go'), callingProgram);
  await run('go', ['mod', 'tidy'], { cwd: module });
  await run('go', ['build', '-o', join(module, 'called'), './call'], { cwd: module });
  const installation = new HostedInstallation();
  after(() => installation.remove());
  await installation.start();
  const { id } = await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'app', config: {} });
  const results = [{ title: 'Injection', rule_id: 'r1', severity: 'high', path: 'src/app.js' }];
  await installation.call('POST', `/data-sources/${id}/imports`, {
    raw: JSON.stringify({ source: 'own', findings: results }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=30' },
  });
  const called = await run(join(module, 'called'), {
    env: { ASSAY_URL: `${installation.origin}/api/v1`, ASSAY_TOKEN: installation.token },
  });
  assert.deepEqual(JSON.parse(called.stdout), [1, ['pci'], 'not_found']);
});
