/**
 * How sure a detection source is that a problem is real. `high`: nearly always; `medium`: usually; `low`: often not, so
 * it fails no pipeline by default.
 */
export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];
