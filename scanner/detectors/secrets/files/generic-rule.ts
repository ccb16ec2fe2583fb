import type { SecretRule } from '../rule.ts';

type Fields = Pick<SecretRule, 'id' | 'name' | 'keywords' | 'pattern' | 'matches' | 'misses'> & Partial<SecretRule>;

/** Builds a rule for a credential that its context reveals, with texts that apply to any password. */
export function genericRule(fields: Fields): SecretRule {
  return {
    severity: 'high',
    risk: 'Anyone who reads it can sign in to its account or service.',
    remediation: 'Change the password or revoke the key, and keep the new one out of the repository.',
    references: ['https://cwe.mitre.org/data/definitions/798.html'],
    generic: true,
    ...fields,
  };
}

/** A sample for the rules' examples, assembled at run time. */
export const samplePassword: string = ['Vq7', 'mz!', 'Lw2', 'kd'].join('');
export const sampleToken: string = ['9fK2', 'qLx7', 'VbN4', 'tRw8', 'Zp3c', 'Hy6m'].join('');
