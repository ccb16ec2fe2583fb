import type { TerraformBlock } from '../terraform.ts';
import { at, isTrue, textOf, type Value } from '../value.ts';
import { blocks, isOpen, isUnknown, onBlock, resources, rule, textsIn } from './terraform-helpers.ts';

/** An entry of a network ACL, in the order in which AWS applies them. */
type Entry = { block: TerraformBlock; order: number; isAllowed: boolean; from: number; to: number; isAll: boolean };

const number = (value: Value) => (isUnknown(value) || textOf(value) === '' ? Number.NaN : Number(textOf(value)));

/** Returns the inbound entries of each ACL that apply to every address. */
function openEntries(found: TerraformBlock[]): Entry[][] {
  const inline = resources(found, 'aws_network_acl', 'aws_default_network_acl').map((block) =>
    blocks(block.body, 'ingress').map((body) => ({ block, body })),
  );
  const single = resources(found, 'aws_network_acl_rule').filter(({ body }) => !isTrue(body.egress));
  const byAcl = Map.groupBy(
    single,
    ({ body, path, startLine }) => textOf(body.network_acl_id) || `${path} ${startLine}`,
  );
  const grouped = [...byAcl.values()].map((rules) => rules.map((block) => ({ block, body: block.body as Value })));
  return [...inline, ...grouped].map((entries) =>
    entries
      .filter(({ body }) => ['cidr_block', 'ipv6_cidr_block'].some((name) => textsIn(at(body, name)).some(isOpen)))
      .map(({ block, body }) => {
        const protocol = textOf(at(body, 'protocol'));
        return {
          block,
          order: number(at(body, 'rule_no') ?? at(body, 'rule_number')),
          isAllowed: /^allow$/i.test(textOf(at(body, 'action') ?? at(body, 'rule_action'))),
          from: number(at(body, 'from_port')),
          to: number(at(body, 'to_port')),
          isAll: protocol === '-1' || protocol === 'all',
        };
      })
      .sort((a, b) => a.order - b.order),
  );
}

const covers = ({ isAll, from, to }: Entry, port: number) => isAll || (from <= port && port <= to);

/** Remote administration and file transfer, which Checkov checks one by one. */
const ports: Array<[port: number, name: string]> = [
  [20, 'FTP'],
  [21, 'FTP'],
  [22, 'SSH'],
  [3389, 'Remote Desktop'],
];

const acl = (entries: string) => `resource "aws_network_acl" "a" {\n  vpc_id = aws_vpc.a.id\n${entries}}\n`;
const entry = (order: number, action: string, from: number, to: number, cidr: string, protocol = 'tcp') =>
  `  ingress {\n    rule_no = ${order}\n    action = "${action}"\n    protocol = "${protocol}"\n    from_port = ${from}\n    to_port = ${to}\n    cidr_block = "${cidr}"\n  }\n`;

const containers = {
  aws_batch_job_definition: 'container_properties',
  aws_ecs_task_definition: 'container_definitions',
};

/** Permissions of containers, and network rules that apply before those of the machines. */
export const terraformAwsWorkloadRules = [
  rule({
    id: 'terraform-nacl-open-all',
    title: 'A network ACL lets everything in from everywhere',
    severity: 'low',
    cwe: ['CWE-284'],
    knownAs: ['CKV_AWS_352', 'AVD-AWS-0105'],
    risk: 'Only the security groups of each machine protect it, so one mistake there opens it to the Internet.',
    remediation: 'Allow the ports that the network serves, and answers on high ports.',
    find: (found) =>
      openEntries(found).flatMap((entries) =>
        entries
          .slice(0, 1)
          .filter(({ isAllowed, isAll, from, to }) => isAllowed && (isAll || (from === 0 && to === 65_535)))
          .map(({ block }) => onBlock(block, 'all ports from everywhere')),
      ),
    matches: [
      acl(entry(100, 'allow', 0, 0, '0.0.0.0/0', '-1')),
      'resource "aws_network_acl_rule" "a" {\n  network_acl_id = aws_network_acl.a.id\n  rule_number = 1\n  rule_action = "allow"\n  protocol = "-1"\n  cidr_block = "0.0.0.0/0"\n}\n',
    ],
    misses: [
      acl(entry(100, 'allow', 0, 0, '10.0.0.0/8', '-1')),
      acl(entry(100, 'allow', 443, 443, '0.0.0.0/0')),
      acl(entry(100, 'allow', 0, 0, '0.0.0.0/0', '-1') + entry(90, 'deny', 0, 0, '0.0.0.0/0', '-1')),
      'resource "aws_network_acl_rule" "a" {\n  egress = true\n  rule_action = "allow"\n  protocol = "-1"\n  cidr_block = "0.0.0.0/0"\n}\n',
    ],
  }),
  rule({
    id: 'terraform-nacl-open-administration',
    title: 'A network ACL lets SSH, Remote Desktop or FTP in from everywhere',
    severity: 'medium',
    cwe: ['CWE-284', 'CWE-668'],
    knownAs: ['CKV_AWS_229', 'CKV_AWS_230', 'CKV_AWS_231', 'CKV_AWS_232', 'AVD-AWS-0105'],
    risk: 'Only the security groups of each machine keep attackers from guessing its passwords.',
    remediation: 'Allow these ports only from the networks of those who administer it.',
    find: (found) =>
      openEntries(found).flatMap((entries) => {
        const open = ports.flatMap(([port, name]) => {
          const first = entries.find((candidate) => covers(candidate, port));
          return first?.isAllowed && !first.isAll ? [{ block: first.block, text: `${name} (${port})` }] : [];
        });
        const byBlock = Map.groupBy(open, ({ block }) => block);
        return [...byBlock].map(([block, list]) =>
          onBlock(block, `${list.map(({ text }) => text).join(', ')} from everywhere`),
        );
      }),
    matches: [
      acl(entry(100, 'allow', 22, 22, '0.0.0.0/0')),
      acl(entry(100, 'allow', 1024, 65_535, '0.0.0.0/0')),
      acl(entry(100, 'allow', 20, 22, '::/0').replace('cidr_block', 'ipv6_cidr_block')),
    ],
    misses: [
      acl(entry(100, 'allow', 22, 22, '192.0.2.0/24')),
      acl(entry(100, 'allow', 22, 22, '0.0.0.0/0') + entry(90, 'deny', 22, 22, '0.0.0.0/0')),
      acl(entry(100, 'allow', 443, 443, '0.0.0.0/0')),
    ],
  }),
  rule({
    id: 'terraform-privileged-container',
    title: 'A container of AWS Batch or ECS is privileged',
    severity: 'high',
    cwe: ['CWE-250'],
    knownAs: ['CKV_AWS_210', 'AWS-FSBP-ECS.4', 'AVD-AWS-0036'],
    risk: 'A program that breaks out of its container is root on the machine, beside the containers of others.',
    remediation: 'Remove `privileged`, and grant the single capabilities that it needs.',
    find: (found) =>
      Object.entries(containers).flatMap(([type, attribute]) =>
        resources(found, type)
          .filter(({ body }) => /["']?\bprivileged["']?\s*[:=]\s*true\b/i.test(textOf(body[attribute])))
          .map((block) => onBlock(block, `${attribute}: privileged`)),
      ),
    matches: Object.entries(containers).flatMap(([type, attribute]) => [
      `resource "${type}" "a" {\n  ${attribute} = jsonencode([{ image = "shop", privileged = true }])\n}\n`,
      `resource "${type}" "a" {\n  ${attribute} = <<EOF\n{"image": "shop", "privileged": true}\nEOF\n}\n`,
    ]),
    misses: Object.entries(containers).flatMap(([type, attribute]) => [
      `resource "${type}" "a" {\n  ${attribute} = jsonencode([{ image = "shop", privileged = false }])\n}\n`,
      `resource "${type}" "a" {\n  ${attribute} = file("job.json")\n}\n`,
    ]),
  }),
];
