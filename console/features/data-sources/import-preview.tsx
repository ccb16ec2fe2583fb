import type { ImportPreview } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { Failure, Note, Skeleton } from '../../ui/states.tsx';
import { outcomeOf } from '../scans/words.ts';
import classes from './data-sources.module.css';
import { formatOptions, type ImportFormat } from './import-words.ts';

/** Larger files are not sent twice. */
const maxBytes = 20_000_000;

const number = new Intl.NumberFormat('en');
const formatName = (format: string) => formatOptions.find(({ value }) => value === format)?.label ?? format;

function Missing({ missing, incomplete, closes }: Pick<ImportPreview, 'missing' | 'incomplete'> & { closes: boolean }) {
  if (missing.count === 0) return null;
  const one = missing.count === 1;
  if (incomplete.length > 0) return <p>It closes nothing: {incomplete.join(' ')}</p>;
  return (
    <>
      <p>
        {number.format(missing.count)} open {one ? 'finding' : 'findings'} of this data source {one ? 'is' : 'are'} not
        in it and {closes ? (one ? 'becomes resolved' : 'become resolved') : one ? 'stays open' : 'stay open'}:
      </p>
      <ul className={classes.samples} aria-label="Not in the file">
        {missing.samples.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </>
  );
}

type PreviewProps = { dataSourceId: string; file: File; format: ImportFormat | ''; closeMissing: boolean };

/** What the import of a file would do: nothing is written for it. */
export function PreviewNote({ dataSourceId, file, format, closeMissing }: PreviewProps) {
  const params = { ...(format !== '' && { format }), ...(closeMissing && { close_missing: true }) };
  const isSmall = file.size <= maxBytes;
  const { data: preview, error } = useQuery({
    queryKey: ['import-preview', dataSourceId, file.name, file.size, file.lastModified, params],
    queryFn: ({ signal }) =>
      assay.imports.preview(dataSourceId, file, params, { signal, timeoutMs: 120_000, maxRetries: 0 }),
    enabled: isSmall,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!isSmall) return null;
  if (error) return <Failure error={error} isInput />;
  if (!preview) return <Skeleton rows={2} shown="Reading the file …" />;
  return (
    <Note>
      <div role="status">
        <p>
          <b>{formatName(preview.format)}</b> with {number.format(preview.results)}{' '}
          {preview.results === 1 ? 'result' : 'results'}. An import gives: {outcomeOf(preview.findings).toLowerCase()}.
        </p>
        <Missing missing={preview.missing} incomplete={preview.incomplete} closes={closeMissing} />
      </div>
    </Note>
  );
}
