import { useQuery } from '@tanstack/react-query';
import { detectionSourcesQuery } from '../../api/pickers.ts';
import { useMay } from '../../api/session.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import classes from './start.module.css';

const names = new Intl.ListFormat('en', { type: 'conjunction' });

/** The scanners of others that one command on the server would add. */
export function MoreScanners() {
  const may = useMay('organization:write');
  const { data = [] } = useQuery(detectionSourcesQuery);
  const missing = data.filter((source) => source.install_command !== null);
  if (!may || missing.length === 0) return null;
  const command = `npx assay tools install ${missing.map(({ type }) => type).join(' ')}`;
  return (
    <section aria-label="More scanners">
      <h2>More scanners</h2>
      <p>
        Assay finds problems without them. One command on the server, in the folder of Assay, adds{' '}
        {names.format(missing.map(({ name }) => name))}:
      </p>
      <pre className={classes.evidence}>
        {command} <CopyIcon text={command} label="Copy the command" />
      </pre>
    </section>
  );
}
