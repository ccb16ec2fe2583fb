import type { FindingDetail } from '@assay/client';
import { paths } from '../../paths.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconDots } from '../../ui/icons.ts';
import { Menu } from '../../ui/menu.ts';
import { showToast } from '../../ui/toasts.tsx';
import { markdownOf } from './copies.ts';

const copy = (text: string, what: string) =>
  void navigator.clipboard.writeText(text).then(() => void showToast(`Copied: ${what}.`));

/** Copies a finding in other forms, or opens it in a tab of its own. */
export const CopyMenu = ({ finding }: { finding: FindingDetail }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <IconButton label="More" icon={IconDots} size={28} />
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item component="a" href={`${paths.findings}/${finding.id}`} target="_blank">
        Open in a new tab
      </Menu.Item>
      <Menu.Item onClick={() => copy(markdownOf([finding]), `${finding.number} as Markdown`)}>
        Copy as Markdown
      </Menu.Item>
      <Menu.Item onClick={() => copy(finding.number, finding.number)}>Copy the number</Menu.Item>
      <Menu.Item onClick={() => copy(finding.id, 'the id for the API')}>Copy the id for the API</Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
