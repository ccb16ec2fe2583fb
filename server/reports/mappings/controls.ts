import { owasp2025 } from './owasp-2025.ts';
import type { Standard } from './standard.ts';

/** Returns the weaknesses of categories of the OWASP Top 10 2025, and some more. */
const weaknessesOf = (ids: string[], ...more: number[]): number[] => [
  ...new Set([
    ...owasp2025.categories.filter(({ id }) => ids.includes(id)).flatMap(({ weaknesses }) => weaknesses),
    ...more,
  ]),
];

const secrets = [256, 257, 258, 259, 260, 261, 312, 313, 321, 522, 523, 798, 1391, 1392, 1393];
const cryptography = weaknessesOf(['A04:2025'], 295, 297, 298, 299, 311);
const codingFlaws = weaknessesOf(
  ['A05:2025', 'A08:2025', 'A10:2025'],
  22,
  119,
  120,
  121,
  122,
  125,
  190,
  352,
  362,
  416,
).concat([434, 444, 601, 611, 776, 787, 918, 943, 1321, 1333, 1336]);
const configuration = weaknessesOf(['A02:2025'], 250, 276, 548, 693, 732, 1021, 1188, 1275);
const access = [266, 269, 276, 284, 285, 425, 552, 566, 639, 668, 732, 862, 863, 922];
const authentication = weaknessesOf(['A07:2025']);
const logging = weaknessesOf(['A09:2025']);

/**
 * The requirements of PCI DSS 4.0.1 on software and systems that findings speak to. The assignment of CWEs is Assay's own,
 * by the text of the requirements.
 */
export const pciDss4: Standard = {
  id: 'pci_dss_4',
  name: 'PCI DSS 4.0.1',
  source: 'https://www.pcisecuritystandards.org/document_library/',
  packages: '6.3.3',
  categories: [
    { id: '2.2', name: 'System components are configured and managed securely', weaknesses: configuration },
    { id: '3.5', name: 'Stored account data is protected by cryptography', weaknesses: [311, 312, 313, 315, 316, 922] },
    {
      id: '4.2',
      name: 'Account data is protected during transmission',
      weaknesses: [5, 319, 523, 295, 297, 326, 327, 757],
    },
    { id: '6.2.4', name: 'Common software attacks are prevented', weaknesses: codingFlaws },
    { id: '6.3.3', name: 'Known vulnerabilities are patched', weaknesses: [447, 937, 1035, 1104, 1329, 1395] },
    { id: '7.2', name: 'Access is defined and assigned by need', weaknesses: access },
    { id: '8.3', name: 'Strong authentication is established', weaknesses: authentication },
    { id: '8.6.2', name: 'Passwords are not hard-coded', weaknesses: secrets },
    { id: '10.2', name: 'Audit logs detect anomalies and support analysis', weaknesses: logging },
  ],
};

/**
 * The controls of ISO/IEC 27001:2022, Annex A, that findings speak to. The assignment of CWEs is Assay's own, by the text
 * of the controls.
 */
export const iso27001: Standard = {
  id: 'iso_27001_2022',
  name: 'ISO/IEC 27001:2022 Annex A',
  source: 'https://www.iso.org/standard/27001',
  packages: 'A.8.8',
  categories: [
    { id: 'A.5.15', name: 'Access control', weaknesses: access },
    { id: 'A.5.17', name: 'Authentication information', weaknesses: secrets },
    {
      id: 'A.8.3',
      name: 'Information access restriction',
      weaknesses: [200, 201, 219, 359, 497, 538, 540, 548, 552, 668],
    },
    { id: 'A.8.5', name: 'Secure authentication', weaknesses: authentication },
    { id: 'A.8.8', name: 'Management of technical vulnerabilities', weaknesses: [447, 937, 1035, 1104, 1329, 1395] },
    { id: 'A.8.9', name: 'Configuration management', weaknesses: configuration },
    { id: 'A.8.15', name: 'Logging', weaknesses: logging },
    { id: 'A.8.24', name: 'Use of cryptography', weaknesses: cryptography },
    { id: 'A.8.28', name: 'Secure coding', weaknesses: codingFlaws },
  ],
};
