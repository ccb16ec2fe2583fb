import { type ReactNode, useState } from 'react';
import { Check } from '../../list/check.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice, MultiSelect, Select, Switch, TextArea } from '../../ui/choice-fields.tsx';
import { Checkbox, PasswordField, TextField } from '../../ui/fields.tsx';
import { FormErrorsContext } from '../../ui/form-errors.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconColumns, IconPlus } from '../../ui/icons.ts';
import { Table } from '../../ui/table.tsx';
import classes from './design.module.css';

const kinds = ['primary', 'secondary', 'quiet', 'danger'] as const;
const reason = 'Only an owner may do this.';
const ignore = () => {};

/** Buttons of each kind at rest, under the pointer, with the focus, pressed, disabled and busy. */
export function Buttons() {
  const cell = (title: string, of: (kind: (typeof kinds)[number]) => ReactNode) => ({ title, cell: of });
  return (
    <>
      <Table
        label="Buttons"
        keyOf={(kind) => kind}
        rows={kinds}
        columns={[
          cell('Kind', (kind) => kind),
          cell('Rest', (kind) => <Button kind={kind}>Save view</Button>),
          cell('Hover', (kind) => (
            <Button kind={kind} data-shown="hover">
              Save view
            </Button>
          )),
          cell('Focus', (kind) => (
            <Button kind={kind} data-shown="focus">
              Save view
            </Button>
          )),
          cell('Disabled', (kind) => (
            <Button kind={kind} disabledReason={reason}>
              Save view
            </Button>
          )),
          cell('Busy', (kind) => (
            <Button kind={kind} loading>
              Save view
            </Button>
          )),
        ]}
      />
      <div className={classes.row}>
        <Button icon={IconPlus}>With an icon</Button>
        <Button hint="1">With a key</Button>
        <Button size="xs">Small</Button>
        <Button size="md">Large</Button>
        <IconButton label="Columns" icon={IconColumns} />
        <IconButton label="Columns, under the pointer" icon={IconColumns} data-shown="hover" />
        <IconButton label="Columns, with the focus" icon={IconColumns} data-shown="focus" />
        <IconButton label="Columns, pressed" icon={IconColumns} active />
        <IconButton label="Columns, disabled" icon={IconColumns} disabled />
        <button type="button" className="link">
          A button that reads as a link
        </button>
      </div>
    </>
  );
}

const options = ['Critical', 'High', 'Medium'].map((label) => ({ value: label, label }));

/** Fields empty, filled, with the focus, wrong and disabled. */
export function Fields() {
  const [errors] = useState(() => ({ messages: { wrong: 'Must be a number of days.' }, shown: new Set<string>() }));
  return (
    <FormErrorsContext value={errors}>
      <div className={classes.fields}>
        <TextField label="Empty" placeholder="Name or address" value="" onChange={ignore} />
        <TextField label="Described" description="At least 8 characters." value="ledger" onChange={ignore} required />
        <TextField label="With the focus" value="ledger" onChange={ignore} data-shown="focus" />
        <TextField label="Wrong" field="wrong" value="due:7" onChange={ignore} />
        <TextField label="Disabled" value="by single sign-on" onChange={ignore} disabled />
        <PasswordField label="Password" value="a long secret" onChange={ignore} />
        <TextField label="Date" type="date" value="2026-12-01" onChange={ignore} />
        <Select label="Select" value="High" onChange={ignore} options={options} />
        <Select label="Select, wrong" field="wrong" value={null} onChange={ignore} options={options} />
        <Select label="Select, disabled" value="High" onChange={ignore} options={options} disabled />
        <MultiSelect label="Several" value={['High', 'Medium']} onChange={ignore} options={options} />
        <TextArea label="Text" rows={2} value="Reachable from inside only." onChange={ignore} />
      </div>
    </FormErrorsContext>
  );
}

/** Checkboxes, switches and small choices. */
export function Choices() {
  return (
    <>
      <div className={classes.row}>
        <Check label="Off" checked={false} />
        <Check label="On" checked />
        <Check label="Some" checked={false} some />
        <Checkbox label="Off" checked={false} onChange={ignore} />
        <Checkbox label="On" checked onChange={ignore} />
        <Checkbox label="With the focus" checked onChange={ignore} data-shown="focus" />
        <Checkbox label="Disabled" checked disabled onChange={ignore} />
      </div>
      <div className={classes.row}>
        <Switch label="Off" checked={false} onChange={ignore} />
        <Switch label="On" checked onChange={ignore} />
        <Switch label="With the focus" checked onChange={ignore} data-shown="focus" />
        <Switch label="Disabled" checked={false} disabled onChange={ignore} />
      </div>
      <Choice
        label="Density"
        value="One line"
        onChange={ignore}
        options={['One line', 'Compact', 'Two lines'].map((label) => ({ value: label, label }))}
      />
    </>
  );
}
