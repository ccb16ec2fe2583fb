/**
 * Bounds of what a result file makes us hold in memory, for each upload that is being read. The longest texts of 124 files
 * of real scanners have 19 kB; evidence, the longest of what is stored, has a bound far below.
 */

/** Longer texts are cut, in UTF-8 bytes as the file spells them. */
export const maxTextBytes = 1024 * 1024;

/** One result with everything in it, in bytes of the file after texts were cut; a larger one is refused. */
export const maxValueBytes = 4 * 1024 * 1024;

/** The same for what a file says once, such as a tool with all its rules: those of some tools take several MiB. */
export const maxPartBytes = 16 * 1024 * 1024;
