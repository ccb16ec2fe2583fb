import { sampleSecret } from './code-samples.fixture.ts';

const protection = (severity: string, description: string) => ({ severity, description });

/** Hand-written results in MobSF's format, for Android and iOS. */
export const mobsfSample = {
  version: 'v3.9.1',
  title: 'Static Analysis',
  file_name: 'shop.apk',
  app_name: 'Shop',
  app_type: 'apk',
  size: '7MB',
  md5: 'ce0fb160ee2319389ca636d18cddc569',
  package_name: 'example.shop',
  permissions: {
    'android.permission.INTERNET': { status: 'normal', info: 'full Internet access', description: 'Opens sockets.' },
    'android.permission.RECORD_AUDIO': { status: 'dangerous', info: 'record audio', description: 'Hears.' },
  },
  certificate_analysis: {
    certificate_info: 'APK is signed',
    certificate_findings: [
      ['info', 'Application is signed with a code signing certificate', 'Signed Application'],
      [
        'high',
        'Application signed with a debug certificate. It must not be.',
        'Application signed with debug certificate',
      ],
    ],
  },
  manifest_analysis: {
    manifest_findings: [
      {
        rule: 'exported_intent_filter_exists',
        title: '<strong>Activity</strong> (example.shop.Pay) is not Protected.<br>An intent-filter exists.',
        severity: 'warning',
        description: 'An Activity is found to be shared.',
        name: 'Activity example.shop.Pay is not Protected.',
        component: ['Activity', 'example.shop.Pay'],
      },
    ],
    manifest_summary: { warning: 1 },
  },
  network_security: {
    network_findings: [
      {
        scope: ['shop.example'],
        description: 'Clear text traffic is permitted to these domains. Do not.',
        severity: 'high',
      },
    ],
  },
  binary_analysis: [
    {
      name: 'lib/x86/libshop.so',
      nx: protection('info', 'The shared object has NX bit set.'),
      stack_canary: protection('high', 'This shared object does not have a stack canary value. Add one.'),
    },
    {
      name: 'lib/arm64-v8a/libshop.so',
      nx: protection('info', 'The shared object has NX bit set.'),
      stack_canary: protection('high', 'This shared object does not have a stack canary value. Add one.'),
    },
  ],
  code_analysis: {
    findings: {
      android_insecure_random: {
        files: { 'a/b/c.java': '9,31', 'example/shop/Id.java': '3' },
        metadata: {
          cvss: 7.5,
          cwe: 'CWE-330: Use of Insufficiently Random Values',
          masvs: 'MSTG-CRYPTO-6',
          'owasp-mobile': 'M5: Insufficient Cryptography',
          ref: 'https://example.com/random',
          description: 'The App uses an insecure Random Number Generator.',
          severity: 'warning',
        },
      },
      android_certificate_pinning: {
        files: { 'okhttp3/Pinner.java': '1' },
        metadata: { description: 'This App uses certificate pinning.', severity: 'secure' },
      },
    },
    summary: { warning: 1 },
  },
  secrets: [`"api_token" : "${sampleSecret}"`],
};

export const mobsfOldSample = {
  version: 'v3.1.6 Beta',
  file_name: 'shop.ipa',
  app_name: 'Shop',
  md5: 'e1f08f17e868e9de32a87d0bdc522fac',
  ats_analysis: [
    { issue: 'Clear text loads are allowed', status: 'insecure', severity: 'high', description: 'ATS is off.' },
  ],
  binary_analysis: {
    'Binary makes use of insecure API(s)': {
      detailed_desc: 'The binary may contain the insecure API _memcpy.',
      severity: 'high',
      cvss: 6,
      cwe: 'CWE-676: Use of Potentially Dangerous Function',
    },
  },
  macho_analysis: { name: 'Shop', arc: { has_arc: false, ...protection('warning', 'No ARC. Use it.') } },
  code_analysis: {
    ios_log: {
      files: ['Shop/Log.swift'],
      metadata: { description: 'The App logs.', severity: 'info', cwe: 'CWE-532' },
    },
  },
  bundle_id: 'example.shop.ios',
};
