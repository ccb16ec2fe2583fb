import type { TerraformBlock } from '../terraform.ts';
import { at, entriesOf, listOf, textOf, type Value } from '../value.ts';
import { blocks, isUnknown, onBlock, resources, rule } from './terraform-helpers.ts';

const secretName =
  /(?:^|[_-])(?:PASSWORD|PASSWD|SECRET|API_?KEY|SECRET_?(?:ACCESS_?)?KEY|ACCESS_?KEY(?:_?ID)?|PRIVATE_?KEY|AUTH_TOKEN|ACCESS_TOKEN)$/i;
const placeholder = /^$|[${}<>]|^(?:changeme|true|false|none|null|dummy|example|test|\/.*|arn:.*|https?:.*)$/i;
const isSecret = (name: string, value: string) =>
  secretName.test(name) && !isUnknown(value) && !placeholder.test(value) && value.length > 3;

/** The names of settings with hard-coded values in a script. */
const assignments = (script: string): string[] =>
  [...script.matchAll(/^[ \t]*(?:export[ \t]+|\$env:|set[ \t]+)?([A-Za-z_][\w-]{2,60})[ \t]*=[ \t]*["']?([^\s"']+)/gm)]
    .filter(([, name = '', value = '']) => isSecret(name, value))
    .map(([, name = '']) => name);

/** The environment of the containers in a JSON task definition. */
function containerNames(definitions: string): string[] {
  try {
    return environmentNames(JSON.parse(definitions));
  } catch {
    return [];
  }
}

const environmentNames = (containers: Value): string[] =>
  listOf(containers).flatMap((container) =>
    [...listOf(at(container, 'environment')), ...listOf(at(container, 'Environment'))]
      .map((entry) => [
        textOf(at(entry, 'name') ?? at(entry, 'Name')),
        textOf(at(entry, 'value') ?? at(entry, 'Value')),
      ])
      .filter(([name = '', value = '']) => isSecret(name, value))
      .map(([name = '']) => name),
  );

const mapNames = (map: Value): string[] =>
  entriesOf(map)
    .filter(([name, value]) => isSecret(name, textOf(value)))
    .map(([name]) => name);

type Reader = { types: string[]; read(block: TerraformBlock): string[] };

const readers: Reader[] = [
  {
    types: ['aws_instance', 'aws_launch_configuration', 'aws_launch_template', 'azurerm_linux_virtual_machine'],
    read: ({ body }) => [textOf(body.user_data), textOf(body.custom_data)].flatMap(assignments),
  },
  {
    types: ['google_compute_instance', 'google_compute_instance_template'],
    read: ({ body }) => [
      ...assignments(textOf(body.metadata_startup_script)),
      ...blocks(body, 'metadata').flatMap((map) => assignments(textOf(at(map, 'startup-script')))),
    ],
  },
  {
    types: ['aws_lambda_function'],
    read: ({ body }) =>
      blocks(body, 'environment').flatMap((environment) => blocks(environment, 'variables').flatMap(mapNames)),
  },
  { types: ['aws_ecs_task_definition'], read: ({ body }) => containerNames(textOf(body.container_definitions)) },
  {
    types: ['azurerm_linux_web_app', 'azurerm_windows_web_app', 'azurerm_app_service', 'azurerm_linux_function_app'],
    read: ({ body }) => blocks(body, 'app_settings').flatMap(mapNames),
  },
  {
    types: ['google_cloudfunctions_function', 'google_cloudfunctions2_function'],
    read: ({ body }) => blocks(body, 'environment_variables').flatMap(mapNames),
  },
  {
    types: ['azurerm_container_group'],
    read: ({ body }) =>
      blocks(body, 'container').flatMap((container) => blocks(container, 'environment_variables').flatMap(mapNames)),
  },
  {
    types: ['aws_ssm_parameter'],
    read: ({ body }) =>
      textOf(body.type) === 'String' &&
      /passw|secret|token|api.?key|private.?key/i.test(textOf(body.name)) &&
      !isUnknown(body.value) &&
      !placeholder.test(textOf(body.value))
        ? ['value']
        : [],
  },
];

const cloudFormationReaders: Reader[] = [
  {
    types: ['AWS::Lambda::Function', 'AWS::Serverless::Function'],
    read: ({ body }) => mapNames(at(body, 'Environment', 'Variables')),
  },
  { types: ['AWS::EC2::Instance'], read: ({ body }) => assignments(textOf(body.UserData)) },
  {
    types: ['AWS::EC2::LaunchTemplate'],
    read: ({ body }) => assignments(textOf(at(body, 'LaunchTemplateData', 'UserData'))),
  },
  { types: ['AWS::ECS::TaskDefinition'], read: ({ body }) => environmentNames(body.ContainerDefinitions) },
];

const lambda = (variables: string) =>
  `resource "aws_lambda_function" "a" {\n  environment {\n    variables = {\n      ${variables}\n    }\n  }\n}\n`;
const machine = (script: string) =>
  `resource "aws_instance" "a" {\n  user_data = <<EOF\n#!/bin/sh\n${script}\nEOF\n}\n`;

export const terraformSecretRules = [
  rule({
    id: 'terraform-secret-in-settings',
    title: 'A secret is in the settings of a machine, container or function',
    severity: 'high',
    cwe: ['CWE-798', 'CWE-312'],
    knownAs: ['CKV_AWS_45', 'CKV_AWS_46', 'CKV2_AWS_34', 'CKV_AZURE_45', 'CKV_AZURE_235', 'AVD-AWS-0029'],
    risk: 'Anyone who can read the repository, the state or the settings in the console can use it.',
    remediation: 'Fetch it from a secret store when the program starts, and rotate the exposed one.',
    find: (found) =>
      [...readers, ...cloudFormationReaders].flatMap(({ types, read }) =>
        resources(found, ...types).flatMap((block) => {
          const names = [...new Set(read(block))];
          return names.length > 0 ? [onBlock(block, names.map((name) => `${name} = …`).join(', '))] : [];
        }),
      ),
    matches: [
      lambda('DB_PASSWORD = "hunter22"'),
      machine('export AWS_SECRET_ACCESS_KEY=abcdefghijkl'),
      'resource "aws_ecs_task_definition" "a" {\n  container_definitions = jsonencode([{ environment = [{ name = "API_KEY", value = "abcdefgh" }] }])\n}\n',
      'resource "aws_ssm_parameter" "a" {\n  name = "/db/password"\n  type = "String"\n  value = "hunter22"\n}\n',
    ],
    misses: [
      lambda('DB_PASSWORD = var.password\n      SECRET_ARN = "arn:aws:x"'),
      lambda('DB_PASSWORD_FILE = "/run/secret"'),
      machine('export DB_PASSWORD=$(aws ssm get-parameter)'),
      'resource "aws_ssm_parameter" "a" {\n  name = "/db/password"\n  type = "SecureString"\n  value = "hunter22"\n}\n',
    ],
  }),
];
