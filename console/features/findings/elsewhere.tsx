import type { FindingDetail } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import classes from './detail.module.css';
import { StatusMark } from './marks.tsx';
import { Part } from './part.tsx';
import { sameRuleQuery } from './queries.ts';
import { placeOf, plural } from './words.ts';

/** Links to another finding in the same view: in the panel on the list, or on its page. */
export const Other = ({ id, children, code = false }: { id: string; children: string; code?: boolean }) => (
  <Link
    to={location.pathname.startsWith(`${paths.findings}/`) ? `${paths.findings}/$id` : paths.findings}
    params={{ id } as never}
    search={((old: Record<string, string>) => (old.open ? { ...old, open: id } : old)) as never}
    className={code ? classes.codePlace : classes.cut}
    title={children}
  >
    {children}
  </Link>
);

/** All locations of this finding, if there are several. */
function Places({ finding }: { finding: FindingDetail }) {
  if (finding.places.length < 2) return null;
  const hidden = finding.occurrences - finding.places.length;
  return (
    <Part title={`${finding.occurrences} places`} label="Places">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, by keyboard too */}
      <ul className={classes.places} tabIndex={0}>
        {finding.places.map(({ path, start_line, commit }) => (
          <li key={`${path}:${start_line}:${commit}`}>
            {path ?? 'no file'}
            {start_line === null ? '' : `:${start_line}`}
            {commit ? ` @ ${commit.slice(0, 10)}` : ''}
          </li>
        ))}
        {hidden > 0 && <li>and {hidden} more</li>}
      </ul>
    </Part>
  );
}

/** The other locations of the finding, and other findings of its rule in its data source. */
export function Elsewhere({ finding }: { finding: FindingDetail }) {
  const { data } = useQuery(sameRuleQuery(finding));
  const others = data?.findings ?? [];
  return (
    <>
      <Places finding={finding} />
      {others.length > 0 && (
        <Part
          title={`The same rule in ${data!.more ? 'more than ' : ''}${plural(others.length, 'more place')}`}
          label="The same rule in other places"
          actions={
            <Link
              to={paths.findings}
              search={{ rule: finding.rule.id, data_source: finding.data_source.id } as never}
              className={classes.partLink}
            >
              All of {finding.data_source.name}
            </Link>
          }
        >
          <ul className={classes.rows}>
            {others.map((other) => (
              <li key={other.id}>
                <Other id={other.id} code>
                  {placeOf(other) || other.number}
                </Other>
                <span className={`${classes.faint} ${classes.cut}`}>{other.title}</span>
                <StatusMark status={other.status} />
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}
