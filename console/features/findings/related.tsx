import type { FindingDetail } from '@assay/client';
import { useQueries } from '@tanstack/react-query';
import classes from './detail.module.css';
import { Other } from './elsewhere.tsx';
import { SeverityMark, StatusMark } from './marks.tsx';
import { Part } from './part.tsx';
import { relatedQueries } from './queries.ts';

/** Lists the findings of other scanners about the same problem in the same data source. */
export function Related({ finding }: { finding: FindingDetail }) {
  const found = useQueries({ queries: relatedQueries(finding) });
  if (found.length === 0) return null;
  return (
    <Part title="What other tools say">
      <ul className={classes.rows}>
        {found.flatMap(({ data }) =>
          data === undefined ? (
            []
          ) : (
            <li key={data.id}>
              <b className={classes.tool}>{data.source}</b>
              <Other id={data.id}>{data.title}</Other>
              <SeverityMark severity={data.severity} />
              <StatusMark status={data.status} />
            </li>
          ),
        )}
      </ul>
    </Part>
  );
}
