import type { DetectorDescription } from '../../contract/detector.ts';

async function findUnavailableReason(): Promise<string | null> {
  try {
    const { registerGrammars } = await import('./languages/index.ts');
    registerGrammars();
    return null;
  } catch {
    return `The parsers have no build for this system (${process.platform} ${process.arch}).`;
  }
}

export const codeDescription: DetectorDescription = {
  type: 'code',
  name: 'Code',
  description:
    'Weaknesses in source code: injection, unsafe use of input, weak cryptography and trust in JavaScript, TypeScript, Python, Go, Java, Ruby, PHP and C#.',
  version: '1.0.0',
  dataSourceKinds: ['git_repository'],
  unavailableReason: findUnavailableReason,
};
