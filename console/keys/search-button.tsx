import { IconButton } from '../ui/icon-button.tsx';
import { IconSearch } from '../ui/icons.ts';
import { commands } from './registry.ts';

/** Opens the global search on phones, which have no key for it. */
export const SearchButton = () => (
  <IconButton
    label="Search everything"
    icon={IconSearch}
    size={44}
    onClick={() =>
      commands
        .read()
        .find(({ keys }) => keys?.includes('Ctrl+k'))
        ?.run()
    }
  />
);
