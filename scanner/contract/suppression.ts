/** A decision that a tool or its result file carries: made on a result elsewhere, with the reason given there. */
export type Suppression = { status: 'false_positive' | 'accepted_risk'; reason: string };
