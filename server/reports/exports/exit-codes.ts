/**
 * The exit code of a writer that found an error in the operator's folder; the last line of its standard error is the
 * message for callers.
 */
export const brandingExitCode = 3;
