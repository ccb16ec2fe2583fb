/** A decision on a result that was made elsewhere, reported by a tool or its result file, with its reason. */
export type Suppression = { status: 'false_positive' | 'accepted_risk'; reason: string };
