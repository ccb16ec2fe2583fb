/** The origins of decisions, spelled as in the API; those of an earlier one take precedence. */
export const origins = ['person', 'repository', 'tool'] as const;
export type Origin = (typeof origins)[number];

/** The place in a repository that states a decision. `line` and `commit` are null where the history does not show them. */
export type RepositoryEntry = {
  path: string;
  line: number | null;
  commit: string | null;
  author: { name: string; email: string } | null;
  committer_email: string | null;
};
