/** The file in which a repository decides about its own findings. */
export const decisionFile = '.assay/decisions.yaml';

/** A decision about a result, made elsewhere and reported by a tool or its result file, with the reason. */
export type Suppression = { status: 'false_positive' | 'accepted_risk'; reason: string };
