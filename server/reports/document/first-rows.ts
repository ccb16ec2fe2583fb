/**
 * Returns the first `max` rows of a table. A single further row is shown too: a note that it is missing would take as
 * much space.
 */
export const firstRows = <Row>(rows: Row[], max: number): Row[] => (rows.length > max + 1 ? rows.slice(0, max) : rows);
