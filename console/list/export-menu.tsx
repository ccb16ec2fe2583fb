import { IconButton } from '../ui/icon-button.tsx';
import { IconDownload } from '../ui/icons.ts';
import { Menu } from '../ui/menu.ts';
import { showError } from '../ui/toasts.tsx';
import { csvOf, download } from './csv.ts';

/** A column in a file: its name, and the value of a row. */
type FileColumn<T> = { title: string; text: (row: T) => string | number };

type MenuProps<T> = {
  /** The name of the file, and that of its sheet. */
  name: string;
  label: string;
  columns: readonly FileColumn<T>[];
  rows: readonly T[];
  /** The address of a CSV with all rows that match the filters, not only the loaded ones. */
  allAsCsv?: string | undefined;
};

/** Saves the columns and rows of a list as a file, in the order in which they are shown. */
export function ExportMenu<T>({ name, label, columns, rows, allAsCsv }: MenuProps<T>) {
  const count = rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en')} rows`;
  const file = name.replaceAll('_', '-');
  const table = () => [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))];
  const saveCsv = () => download(`${file}.csv`, csvOf(table().map((row) => row.map(String))));
  const saveXlsx = async () => {
    const { xlsxOf, xlsxType } = await import('./xlsx.ts');
    download(`${file}.xlsx`, xlsxOf(label, table()), xlsxType);
  };
  const saveJson = () => {
    const entries = rows.map((row) => Object.fromEntries(columns.map(({ title, text }) => [title, text(row)])));
    download(`${file}.json`, JSON.stringify(entries, null, 2), 'application/json');
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton label="Export" icon={IconDownload} />
      </Menu.Target>
      <Menu.Dropdown>
        {allAsCsv ? (
          <Menu.Item component="a" href={allAsCsv} download>
            Export all as CSV
          </Menu.Item>
        ) : (
          <Menu.Item onClick={saveCsv}>Export {count} as CSV</Menu.Item>
        )}
        <Menu.Item onClick={() => saveXlsx().catch(showError)}>Export {count} as Excel (XLSX)</Menu.Item>
        <Menu.Item onClick={saveJson}>Export {count} as JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
