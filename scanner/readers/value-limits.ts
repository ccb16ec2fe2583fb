/**
 * Limits on the memory for each upload that is being read. The longest texts of 124 files of real scanners have 19 kB;
 * evidence, the longest stored text, has a far lower limit.
 */

/** Longer texts are truncated; in UTF-8 bytes of the file. */
export const maxTextBytes = 1024 * 1024;

/** The maximum size of one result, in bytes of the file after texts are truncated; a larger one is refused. */
export const maxValueBytes = 4 * 1024 * 1024;

/**
 * The same for values that occur once in a file, such as a tool with all its rules: those of some tools take several
 * MiB.
 */
export const maxPartBytes = 16 * 1024 * 1024;
