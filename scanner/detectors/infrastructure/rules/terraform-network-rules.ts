import type { TerraformBlock } from '../terraform.ts';
import { at, textOf, type Value } from '../value.ts';
import { blocks, isOpen, isUnknown, onBlock, resources, rule, textsIn } from './terraform-helpers.ts';

type Opening = { block: TerraformBlock; from: number; to: number; isAll: boolean };

const number = (value: Value) => (isUnknown(value) || textOf(value) === '' ? Number.NaN : Number(textOf(value)));

/** Finds the ports that the three clouds' rules open to every address. */
function openingsOf(found: TerraformBlock[]): Opening[] {
  return [...awsOpenings(found), ...azureOpenings(found), ...googleOpenings(found)];
}

function awsOpenings(found: TerraformBlock[]): Opening[] {
  const rules = [
    ...resources(found, 'aws_security_group', 'aws_default_security_group').flatMap((block) =>
      blocks(block.body, 'ingress').map((body) => ({ block, body })),
    ),
    ...resources(found, 'aws_security_group_rule')
      .filter(({ body }) => body.type === 'ingress')
      .map((block) => ({ block, body: block.body as Value })),
    ...resources(found, 'aws_vpc_security_group_ingress_rule', 'AWS::EC2::SecurityGroupIngress').map((block) => ({
      block,
      body: block.body as Value,
    })),
    ...resources(found, 'AWS::EC2::SecurityGroup').flatMap((block) =>
      blocks(block.body, 'SecurityGroupIngress').map((body) => ({ block, body })),
    ),
  ];
  return rules
    .filter(({ body }) =>
      ['cidr_blocks', 'ipv6_cidr_blocks', 'cidr_ipv4', 'cidr_ipv6', 'CidrIp', 'CidrIpv6'].some((name) =>
        textsIn(at(body, name)).some(isOpen),
      ),
    )
    .map(({ block, body }) => {
      const protocol = textOf(at(body, 'protocol') ?? at(body, 'ip_protocol') ?? at(body, 'IpProtocol'));
      return {
        block,
        from: number(at(body, 'from_port') ?? at(body, 'FromPort')),
        to: number(at(body, 'to_port') ?? at(body, 'ToPort')),
        isAll: protocol === '-1' || protocol === 'all',
      };
    });
}

function azureOpenings(found: TerraformBlock[]): Opening[] {
  const rules = [
    ...resources(found, 'azurerm_network_security_group').flatMap((block) =>
      blocks(block.body, 'security_rule').map((body) => ({ block, body })),
    ),
    ...resources(found, 'azurerm_network_security_rule').map((block) => ({ block, body: block.body as Value })),
  ];
  return rules
    .filter(
      ({ body }) => /^inbound$/i.test(textOf(at(body, 'direction'))) && /^allow$/i.test(textOf(at(body, 'access'))),
    )
    .filter(({ body }) =>
      [...textsIn(at(body, 'source_address_prefix')), ...textsIn(at(body, 'source_address_prefixes'))].some(isOpen),
    )
    .flatMap(({ block, body }) =>
      [...textsIn(at(body, 'destination_port_range')), ...textsIn(at(body, 'destination_port_ranges'))].map((range) =>
        toOpening(block, range),
      ),
    );
}

function googleOpenings(found: TerraformBlock[]): Opening[] {
  return resources(found, 'google_compute_firewall')
    .filter(({ body }) => textsIn(body.source_ranges).some(isOpen) && body.direction !== 'EGRESS')
    .flatMap((block) =>
      blocks(block.body, 'allow').flatMap((allow) => {
        const ports = textsIn(at(allow, 'ports'));
        if (ports.length > 0) return ports.map((range) => toOpening(block, range));
        return /^(?:all|tcp)$/i.test(textOf(at(allow, 'protocol'))) ? [toOpening(block, '*')] : [];
      }),
    );
}

function toOpening(block: TerraformBlock, range: string): Opening {
  const [from, to] = range.split('-');
  return { block, from: Number(from), to: Number(to ?? from), isAll: range === '*' };
}

/** Ports that should be accessible only from their own network. */
const services: Array<{ port: number; id: string; name: string; knownAs: string[]; severity: 'high' | 'medium' }> = [
  {
    port: 22,
    id: 'ssh',
    name: 'SSH',
    severity: 'high',
    knownAs: ['CKV_AWS_24', 'CKV_AZURE_10', 'CKV_GCP_2', 'AVD-AWS-0107', 'AVD-AZU-0050', 'AVD-GCP-0027', 'CIS-AWS-5.2'],
  },
  {
    port: 3389,
    id: 'rdp',
    name: 'Remote Desktop',
    severity: 'high',
    knownAs: ['CKV_AWS_25', 'CKV_AZURE_9', 'CKV_GCP_3', 'AVD-AWS-0107', 'AVD-AZU-0048', 'CIS-AWS-5.2'],
  },
  { port: 5432, id: 'postgresql', name: 'PostgreSQL', severity: 'high', knownAs: ['AVD-AWS-0107'] },
  { port: 3306, id: 'mysql', name: 'MySQL', severity: 'high', knownAs: ['AVD-AWS-0107', 'CKV_GCP_88'] },
  { port: 1433, id: 'mssql', name: 'SQL Server', severity: 'high', knownAs: ['AVD-AWS-0107'] },
  { port: 6379, id: 'redis', name: 'Redis', severity: 'high', knownAs: ['AVD-AWS-0107'] },
  { port: 27017, id: 'mongodb', name: 'MongoDB', severity: 'high', knownAs: ['AVD-AWS-0107'] },
  { port: 9200, id: 'elasticsearch', name: 'Elasticsearch', severity: 'high', knownAs: ['AVD-AWS-0107'] },
];

/** Ports of administration and data that are reported together. */
const otherPorts = [
  20, 21, 23, 135, 139, 389, 445, 873, 1521, 2049, 2181, 2375, 2376, 2379, 4333, 5000, 5601, 5900, 5984, 5985, 5986,
  6443, 7000, 7001, 8020, 8086, 8500, 9042, 9092, 9160, 9300, 10250, 10255, 11211, 15672, 27018, 50070,
];
/** A range as wide as this opens everything that listens in it, such as ephemeral ports. */
const maxNamedRange = 2_000;

const group = (ports: string, cidr = '"0.0.0.0/0"') =>
  `resource "aws_security_group" "a" {\n  ingress {\n    ${ports.split('; ').join('\n    ')}\n    cidr_blocks = [${cidr}]\n  }\n}\n`;

/** A range of all ports has its own rule and is reported only there. */
const isEverything = ({ from, to, isAll }: Opening) => isAll || (from <= 1 && to >= 65_535);
const unique = (found: Opening[]) => [...new Map(found.map((opening) => [opening.block, opening])).values()];

export const terraformNetworkRules = [
  rule({
    id: 'terraform-open-to-all',
    title: 'Every port is open to the Internet',
    severity: 'high',
    cwe: ['CWE-284', 'CWE-668'],
    knownAs: ['CKV_AWS_277', 'AVD-AWS-0107', 'AVD-AZU-0047', 'AVD-GCP-0027', 'CIS-AWS-5.2'],
    risk: 'Anyone can reach and attack every listening service, including forgotten ones.',
    remediation: 'Allow only the ports and addresses that are needed.',
    find: (found) =>
      unique(openingsOf(found).filter(isEverything)).map(({ block }) => onBlock(block, 'all ports from everywhere')),
    matches: [
      group('protocol = "-1"; from_port = 0; to_port = 0'),
      'resource "google_compute_firewall" "a" {\n  source_ranges = ["0.0.0.0/0"]\n  allow {\n    protocol = "all"\n  }\n}\n',
    ],
    misses: [
      group('protocol = "tcp"; from_port = 443; to_port = 443'),
      group('protocol = "-1"; from_port = 0; to_port = 0', '"10.0.0.0/8"'),
    ],
  }),
  ...services.map(({ port, id, name, knownAs, severity }) =>
    rule({
      id: `terraform-open-${id}`,
      title: `${name} is open to the Internet`,
      severity,
      cwe: ['CWE-284', 'CWE-668'],
      knownAs,
      risk: 'Attackers constantly try passwords on it, and anyone can exploit its vulnerabilities.',
      remediation: 'Allow only the addresses that need it, or use a VPN or the cloud’s session service.',
      find: (found) =>
        unique(
          openingsOf(found).filter((opening) => !isEverything(opening) && opening.from <= port && opening.to >= port),
        ).map((opening) => onBlock(opening.block, `ports ${opening.from}-${opening.to} from everywhere`)),
      matches: [
        group(`protocol = "tcp"; from_port = ${port}; to_port = ${port}`),
        `resource "azurerm_network_security_rule" "a" {\n  direction = "Inbound"\n  access = "Allow"\n  source_address_prefix = "*"\n  destination_port_range = "${port}"\n}\n`,
        `resource "google_compute_firewall" "a" {\n  source_ranges = ["0.0.0.0/0"]\n  allow {\n    protocol = "tcp"\n    ports = ["${port}"]\n  }\n}\n`,
      ],
      misses: [
        group(`protocol = "tcp"; from_port = ${port}; to_port = ${port}`, '"10.0.0.0/8"'),
        group(`protocol = "tcp"; from_port = ${port}; to_port = ${port}`, 'var.office'),
        group('protocol = "tcp"; from_port = 443; to_port = 443'),
        `resource "azurerm_network_security_rule" "a" {\n  direction = "Inbound"\n  access = "Deny"\n  source_address_prefix = "*"\n  destination_port_range = "${port}"\n}\n`,
      ],
    }),
  ),
  rule({
    id: 'terraform-open-admin-port',
    title: 'A port of administration or data is open to the Internet',
    severity: 'high',
    cwe: ['CWE-284', 'CWE-668'],
    knownAs: ['AVD-AWS-0107', 'CKV_GCP_75', 'CKV_GCP_77'],
    risk: 'Such services are made for their own network; many of them ask for no password.',
    remediation: 'Allow only the addresses that need it, or use a VPN.',
    find: (found) =>
      unique(
        openingsOf(found).filter(
          (opening) =>
            !isEverything(opening) &&
            opening.to - opening.from < maxNamedRange &&
            otherPorts.some((port) => opening.from <= port && opening.to >= port) &&
            !services.some(({ port }) => opening.from <= port && opening.to >= port),
        ),
      ).map((opening) => onBlock(opening.block, `ports ${opening.from}-${opening.to} from everywhere`)),
    matches: [
      group('protocol = "tcp"; from_port = 2375; to_port = 2375'),
      group('protocol = "tcp"; from_port = 20; to_port = 21'),
    ],
    misses: [
      group('protocol = "tcp"; from_port = 8080; to_port = 8080'),
      group('protocol = "tcp"; from_port = 1024; to_port = 65535'),
      group('protocol = "tcp"; from_port = 445; to_port = 445', '"10.0.0.0/8"'),
    ],
  }),
];
