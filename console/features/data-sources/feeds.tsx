import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Feed, type FeedName, feedNames, feedsQuery, loadFeeds, uploadFeed } from '../../api/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choice-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/states.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { FeedStep } from '../feeds/feed-note.tsx';
import classes from './data-sources.module.css';
import ecosystems from './ecosystems.json' with { type: 'json' };

const files: Record<FeedName, string> = {
  kev: 'known_exploited_vulnerabilities.json, as CISA publishes it',
  epss: 'epss_scores-….csv.gz, as FIRST publishes it',
  advisories: 'all.zip of an ecosystem, from the export of OSV',
};

const { format } = new Intl.NumberFormat('en');

/** Loads all feeds from the operator's sources, or one feed from a file. */
function LoadDialog({ feed: { name, has_source }, onClose }: { feed: Feed; onClose: () => void }) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [ecosystem, setEcosystem] = useState('npm');
  const done = (said: string) => {
    for (const key of ['feeds', 'findings', 'detection-sources']) void client.invalidateQueries({ queryKey: [key] });
    showToast(said);
    onClose();
  };
  const load = useMutation({
    mutationFn: loadFeeds,
    onSuccess: () => done('A worker loads the feeds within a minute.'),
  });
  const send = useMutation({
    mutationFn: () => uploadFeed(name, file!, name === 'advisories' ? ecosystem : ''),
    onSuccess: ({ added, changed, removed, unchanged }) =>
      done(`${feedNames[name]}: ${format(added + changed + unchanged)} loaded, ${format(removed)} removed.`),
  });
  return (
    <Dialog title={`Load ${feedNames[name]}`} onClose={onClose}>
      <p className={classes.muted}>All organizations of this installation share the feeds.</p>
      <Form
        submit={file ? 'Upload' : 'Load all feeds now'}
        loading={send.isPending || load.isPending}
        error={send.error ?? load.error}
        disabledReason={file || has_source ? null : 'The operator has configured no source. Upload a file.'}
        onSubmit={() => (file ? send.mutate() : load.mutate())}
        onCancel={onClose}
      >
        {name === 'advisories' && (
          <Select
            label="Ecosystem of the file"
            searchable
            value={ecosystem}
            onChange={setEcosystem}
            options={ecosystems.map((value) => ({ value, label: value }))}
          />
        )}
        {file ? (
          <Note>
            <b>{file.name}</b>, {format(file.size)} bytes
          </Note>
        ) : (
          <DropZone what="the file of the feed" hint={files[name]} onFile={setFile} />
        )}
      </Form>
    </Dialog>
  );
}

/** Whether and when each feed was loaded. `chosen` is the feed that is being loaded. */
export function Feeds({ chosen, onChoose }: { chosen: string | undefined; onChoose: (name: string) => void }) {
  const { data } = useQuery(feedsQuery);
  const now = useNow();
  // Keeps the list below in place.
  if (!data) return <div className={classes.feeds} />;
  const open = data.find(({ name, may_load }) => name === chosen && may_load);
  const missing = data.find(({ status, may_load }) => status !== 'loaded' && !may_load);
  return (
    <section className={classes.feeds} aria-label="Feeds">
      <b>Feeds</b>
      {data.map((feed) => (
        <span key={feed.name} className={feed.status === 'loaded' ? undefined : classes.missing}>
          {feedNames[feed.name]} {feed.status === 'stale' && 'stale, '}
          {feed.loaded_at === null ? 'not loaded' : <Time at={feed.loaded_at} now={now} />}
          {feed.may_load && (
            <Button size="xs" kind="quiet" onClick={() => onChoose(feed.name)}>
              Load<span className="visually-hidden"> {feedNames[feed.name]}</span>
            </Button>
          )}
        </span>
      ))}
      {missing && <FeedStep feed={missing} />}
      {open && <LoadDialog feed={open} onClose={() => onChoose('')} />}
    </section>
  );
}
