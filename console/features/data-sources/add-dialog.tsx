import { APIStatusError, type DataSource, type DataSourceKind } from '@assay/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { assay } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { IconChevronRight } from '../../ui/icons.ts';
import { Failure, Note } from '../../ui/states.tsx';
import classes from './data-sources.module.css';
import { creationOf, type Draft, emptyDraft, missingOf } from './draft.ts';
import { DataSourceFields } from './form-fields.tsx';
import { kindIcons } from './marks.tsx';
import { useCreateDataSource } from './queries.ts';
import { kindLeads, kindNames, kinds } from './words.ts';

function KindChoice({ onChoose }: { onChoose: (kind: DataSourceKind) => void }) {
  return (
    <ul className={classes.kinds}>
      {kinds.map((kind, index) => {
        const Icon = kindIcons[kind];
        return (
          <li key={kind}>
            <button
              type="button"
              className={classes.kind}
              data-autofocus={index === 0 || undefined}
              onClick={() => onChoose(kind)}
            >
              <Icon size={20} stroke={1.5} aria-hidden />
              <span>
                <b>{kindNames[kind]}</b>
                <span className={classes.muted}>{kindLeads[kind]}</span>
              </span>
              <IconChevronRight size={16} stroke={1.5} aria-hidden />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The data source in an `already_exists` error. */
function ExistingNote({ error }: { error: unknown }) {
  const id = error instanceof APIStatusError && error.code === 'already_exists' ? error.details[0]?.id : undefined;
  if (!id) return null;
  return (
    <Note>
      <Link to={`${paths.dataSources}/$id`} params={{ id }}>
        Open the existing one
      </Link>
    </Note>
  );
}

function CreateForm({
  kind,
  onBack,
  onCreated,
}: {
  kind: DataSourceKind;
  onBack: () => void;
  onCreated: AddProps['onCreated'];
}) {
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(kind));
  const create = useCreateDataSource(onCreated);
  const test = useMutation({ mutationFn: () => assay.dataSources.test(creationOf(draft)) });
  return (
    <Form
      submit="Add"
      loading={create.isPending}
      error={create.error}
      disabledReason={missingOf(draft)}
      onSubmit={() => create.mutate(creationOf(draft))}
      onCancel={onBack}
      extra={
        kind !== 'upload' && (
          <Button loading={test.isPending} disabledReason={missingOf(draft)} onClick={() => test.mutate()}>
            Test
          </Button>
        )
      }
    >
      <DataSourceFields
        draft={draft}
        change={(values) => {
          setDraft({ ...draft, ...values });
          test.reset();
        }}
      />
      <ExistingNote error={create.error} />
      {test.data && (
        <Note kind={test.data.reachable ? 'plain' : 'warning'}>
          <span role="status">{test.data.message}</span>
        </Note>
      )}
      {test.error ? <Failure error={test.error} /> : null}
    </Form>
  );
}

type AddProps = {
  /** Null until a kind is chosen. */
  kind: DataSourceKind | null;
  onKind: (kind: DataSourceKind | null) => void;
  onCreated: (created: DataSource) => void;
  onClose: () => void;
};

/** Adds a data source: first its kind, then its form. */
export function AddDataSource({ kind, onKind, onCreated, onClose }: AddProps) {
  return (
    <Dialog
      title={
        kind === null ? 'Add a data source' : `Add ${kind === 'upload' ? 'an' : 'a'} ${kindNames[kind].toLowerCase()}`
      }
      onClose={onClose}
      size="lg"
      tall
    >
      {kind === null ? (
        <KindChoice onChoose={onKind} />
      ) : (
        <CreateForm kind={kind} onBack={() => onKind(null)} onCreated={onCreated} />
      )}
    </Dialog>
  );
}
