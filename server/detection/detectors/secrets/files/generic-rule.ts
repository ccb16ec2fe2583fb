import type { SecretRule } from '../rule.ts';

type Fields = Pick<SecretRule, 'id' | 'name' | 'keywords' | 'pattern' | 'matches' | 'misses'> & Partial<SecretRule>;

/** A rule for a credential that its surroundings give away; the texts about it are right for any password. */
export function genericRule(fields: Fields): SecretRule {
  return {
    severity: 'high',
    risk: 'Whoever reads it can sign in to the account or service that it belongs to.',
    remediation: 'Change the password or revoke the key where it is used, then keep the new one out of the repository.',
    references: ['https://cwe.mitre.org/data/definitions/798.html'],
    generic: true,
    ...fields,
  };
}

/** Assembled at run time, for the rules' own proofs. */
export const samplePassword: string = ['Vq7', 'mz!', 'Lw2', 'kd'].join('');
export const sampleToken: string = ['9fK2', 'qLx7', 'VbN4', 'tRw8', 'Zp3c', 'Hy6m'].join('');
