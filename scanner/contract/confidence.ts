/** Confidence that a problem is real. `high`: nearly always; `medium`: usually; `low`: often not. */
export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];
