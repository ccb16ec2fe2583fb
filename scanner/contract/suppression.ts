/** The file in which a repository decides about its own findings. */
export const decisionFile = '.assay/decisions.yaml';

/** The statuses that a repository or a tool may give its own findings. */
export const suppressingStatuses = ['false_positive', 'accepted_risk'] as const;

/** The outcomes of decisions in a repository: a status, or `demoted`, which shows the findings of rules as `info`. */
export const fileOutcomes = [...suppressingStatuses, 'demoted'] as const;

/** The justifications of VEX, and those that VEX has no term for. */
export const justifications = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
  'test_or_example',
  'compensating_control',
  'business_acceptance',
  'other',
] as const;
export type Justification = (typeof justifications)[number];

/**
 * A decision about a result, made elsewhere and reported by a tool or its result file, with the reason. `comment` is the
 * place of a comment in the repository's code; its line is null if the scanned commit does not have it.
 */
export type Suppression = {
  status: (typeof suppressingStatuses)[number];
  reason: string;
  comment?: { path: string; line: number | null };
};
