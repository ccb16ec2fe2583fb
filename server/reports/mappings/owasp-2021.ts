import type { Standard } from './standard.ts';

/** The mapped CWEs of each category, as OWASP lists them. */
export const owasp2021: Standard = {
  id: 'owasp_top_10_2021',
  name: 'OWASP Top 10 2021',
  source: 'https://owasp.org/Top10/2021/',
  packages: 'A06:2021',
  categories: [
    {
      id: 'A01:2021',
      name: 'Broken Access Control',
      weaknesses: [
        ...[22, 23, 35, 59, 200, 201, 219, 264, 275, 276, 284, 285, 352, 359, 377, 402, 425, 441, 497, 538, 540, 548],
        ...[552, 566, 601, 639, 651, 668, 706, 862, 863, 913, 922, 1275],
      ],
    },
    {
      id: 'A02:2021',
      name: 'Cryptographic Failures',
      weaknesses: [
        ...[261, 296, 310, 319, 321, 322, 323, 324, 325, 326, 327, 328, 329, 330, 331, 335, 336, 337, 338, 340, 347],
        ...[523, 720, 757, 759, 760, 780, 818, 916],
      ],
    },
    {
      id: 'A03:2021',
      name: 'Injection',
      weaknesses: [
        ...[20, 74, 75, 77, 78, 79, 80, 83, 87, 88, 89, 90, 91, 93, 94, 95, 96, 97, 98, 99, 100, 113, 116, 138, 184],
        ...[470, 471, 564, 610, 643, 644, 652, 917],
      ],
    },
    {
      id: 'A04:2021',
      name: 'Insecure Design',
      weaknesses: [
        ...[73, 183, 209, 213, 235, 256, 257, 266, 269, 280, 311, 312, 313, 316, 419, 430, 434, 444, 451, 472, 501],
        ...[522, 525, 539, 579, 598, 602, 642, 646, 650, 653, 656, 657, 799, 807, 840, 841, 927, 1021, 1173],
      ],
    },
    {
      id: 'A05:2021',
      name: 'Security Misconfiguration',
      weaknesses: [
        ...[2, 11, 13, 15, 16, 260, 315, 520, 526, 537, 541, 547, 611, 614, 756, 776, 942, 1004, 1032, 1174],
      ],
    },
    { id: 'A06:2021', name: 'Vulnerable and Outdated Components', weaknesses: [937, 1035, 1104] },
    {
      id: 'A07:2021',
      name: 'Identification and Authentication Failures',
      weaknesses: [
        ...[255, 259, 287, 288, 290, 294, 295, 297, 300, 302, 304, 306, 307, 346, 384, 521, 613, 620, 640, 798, 940],
        1216,
      ],
    },
    {
      id: 'A08:2021',
      name: 'Software and Data Integrity Failures',
      weaknesses: [345, 353, 426, 494, 502, 565, 784, 829, 830, 915],
    },
    { id: 'A09:2021', name: 'Security Logging and Monitoring Failures', weaknesses: [117, 223, 532, 778] },
    { id: 'A10:2021', name: 'Server-Side Request Forgery (SSRF)', weaknesses: [918] },
  ],
};
