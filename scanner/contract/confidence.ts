/** The confidences of tools that a finding is true, the highest first, in the spelling of the API. */
export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];

/** Returns the lower of two confidences. */
export const lowerConfidence = (one: Confidence, other: Confidence): Confidence =>
  confidences.indexOf(one) > confidences.indexOf(other) ? one : other;
