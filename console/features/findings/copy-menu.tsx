import type { FindingDetail } from '@assay/client';
import { paths } from '../../paths.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconCopy, IconDots } from '../../ui/icons.ts';
import { Menu } from '../../ui/menu.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { FindingColumn } from './columns.tsx';
import { findingsCsv, linkOf, markdownOf } from './copies.ts';
import type { ListedFinding } from './listed-finding.ts';

const copy = (text: string, what: string) =>
  void navigator.clipboard.writeText(text).then(() => void showToast(`Copied: ${what}.`));

const rowsOf = (count: number) => (count === 1 ? '1 finding' : `${count} findings`);

/** Copies the selected rows as links, Markdown or CSV. */
export const CopySelected = ({ findings, columns }: { findings: ListedFinding[]; columns: FindingColumn[] }) => (
  <Menu position="top-end">
    <Menu.Target>
      <IconButton label="Copy the selection" icon={IconCopy} size={28} />
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={() => copy(findings.map(linkOf).join('\n'), `links of ${rowsOf(findings.length)}`)}>
        Copy as links
      </Menu.Item>
      <Menu.Item onClick={() => copy(markdownOf(findings), `${rowsOf(findings.length)} as Markdown`)}>
        Copy as Markdown
      </Menu.Item>
      <Menu.Item onClick={() => copy(findingsCsv(findings, columns), `${rowsOf(findings.length)} as CSV`)}>
        Copy as CSV
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);

/** Copies a finding in other forms, or opens it in a new tab. */
export const CopyMenu = ({ finding }: { finding: FindingDetail }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <IconButton label="More" icon={IconDots} size={28} />
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item component="a" href={`${paths.findings}/${finding.id}`} target="_blank">
        Open in a new tab
      </Menu.Item>
      <Menu.Item onClick={() => copy(linkOf(finding), `the link to ${finding.number}`)}>Copy a link</Menu.Item>
      <Menu.Item onClick={() => copy(markdownOf([finding]), `${finding.number} as Markdown`)}>
        Copy as Markdown
      </Menu.Item>
      <Menu.Item onClick={() => copy(finding.number, finding.number)}>Copy the number</Menu.Item>
      <Menu.Item onClick={() => copy(finding.id, 'the id for the API')}>Copy the id for the API</Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
