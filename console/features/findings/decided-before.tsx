import type { FindingDetail, FindingStatus, KnownRule } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Filters } from '../../filters/filters.ts';
import { paths } from '../../paths.ts';
import { formatDay } from '../../ui/time.tsx';
import { DemoteButton, dismissedWords } from '../decisions/demotion.tsx';
import { decisionQuery, ruleQuery, useScopeNames } from '../decisions/queries.ts';
import { justificationNames, scopeWords, whyWords } from '../decisions/words.ts';
import classes from './detail.module.css';
import { OutcomeMark, StatusMark } from './marks.tsx';
import { Part } from './part.tsx';
import { type DecidedBy, decisionsQuery, packageFilters, ruleFilters } from './queries.ts';
import { formatCount } from './words.ts';

/** The decisions that follow a number, in words. */
const sentences: Partial<Record<FindingStatus, (count: number) => string>> = {
  resolved: (count) => (count === 1 ? 'was resolved' : 'were resolved'),
  false_positive: (count) => (count === 1 ? 'was a false positive' : 'were false positives'),
  accepted_risk: (count) => (count === 1 ? 'has an accepted risk' : 'have accepted risks'),
};

function Decided({ decided, filters, of }: { decided: DecidedBy; filters: Filters; of: string }) {
  const { status, count, last } = decided;
  const text = `${formatCount(count)} ${of} ${sentences[status]?.(count)}`;
  return (
    <li>
      <span className={classes.decided}>
        <StatusMark status={status} />
      </span>
      <span className={classes.reason}>
        <Link to={paths.findings} search={{ ...filters, status } as never}>
          {text}
        </Link>
        {last?.comment && <span className={classes.faint}>{last.comment}</span>}
      </span>
      {last && (
        <span className={classes.faint}>
          {last.name ? `${last.name}, ` : ''}
          {formatDay(last.at)}
        </span>
      )}
    </li>
  );
}

/** Another decision whose scope includes the finding: the scope in words once it is read, and until when. */
function Other({ id, outcome, justification, until }: FindingDetail['also'][number]) {
  const { data } = useQuery(decisionQuery(id));
  const names = useScopeNames(data && [data]);
  const words = data ? scopeWords(data.scope, names) : justification ? justificationNames[justification] : 'A decision';
  return (
    <li>
      <span className={classes.decided}>
        <OutcomeMark outcome={outcome} />
      </span>
      <span className={classes.reason}>
        <Link to={paths.decisions} search={{ open: id } as never}>
          {words}
        </Link>
        {data && <span className={classes.faint}>{whyWords(data)}</span>}
      </span>
      <span className={classes.faint}>{until === null ? 'No end' : `Until ${formatDay(until)}`}</span>
    </li>
  );
}

/** The other decisions whose scope includes the finding: they take over when the current one ends. */
const Also = ({ also }: Pick<FindingDetail, 'also'>) =>
  also.length > 0 && (
    <Part title="Also in the scope of">
      <ul className={classes.rows}>
        {also.map((other) => (
          <Other key={other.id} {...other} />
        ))}
      </ul>
    </Part>
  );

const isShown = ({ dismissed, confirmed, demotion }: KnownRule) => dismissed + confirmed > 0 || demotion !== null;

/** Shows the number of times that people dismissed the rule; admins can demote one that is mostly dismissed. */
function Judged({ rule }: { rule: KnownRule }) {
  return (
    <p className={classes.judged}>
      <span>
        This rule was dismissed {dismissedWords(rule)}
        {rule.demotion !== null && (
          <>
            {' and is '}
            <Link to={paths.decisions} search={{ open: rule.demotion } as never}>
              shown as info
            </Link>
          </>
        )}
        .
      </span>
      <DemoteButton rule={rule} />
    </p>
  );
}

/** Earlier decisions of this organization on the same rule and the same package. */
function Before({ finding }: { finding: FindingDetail }) {
  const byRule = ruleFilters(finding);
  const byPackage = packageFilters(finding);
  const ofRule = useQuery(decisionsQuery(byRule, finding.id)).data ?? [];
  const judged = useQuery(ruleQuery(finding.rule.id)).data;
  const ofPackage = useQuery({ ...decisionsQuery(byPackage ?? {}, finding.id), enabled: byPackage !== null });
  const packages = byPackage ? (ofPackage.data ?? []) : [];
  const isJudged = judged ? isShown(judged) : false;
  if (ofRule.length + packages.length === 0 && !isJudged) return null;
  return (
    <Part
      title="Decided before"
      actions={
        <Link to={paths.findings} search={byRule as never} className={classes.partLink}>
          All findings of this rule
        </Link>
      }
    >
      {judged && isJudged && <Judged rule={judged} />}
      <ul className={classes.rows}>
        {ofRule.map((decided) => (
          <Decided key={decided.status} decided={decided} filters={byRule} of="of this rule" />
        ))}
        {packages.map((decided) => (
          <Decided
            key={`package ${decided.status}`}
            decided={decided}
            filters={byPackage!}
            of={`in ${byPackage!.package}`}
          />
        ))}
      </ul>
    </Part>
  );
}

/** The other decisions about a finding, and the decisions on similar findings. */
export default function DecidedBefore({ finding }: { finding: FindingDetail }) {
  return (
    <>
      <Also also={finding.also} />
      <Before finding={finding} />
    </>
  );
}
