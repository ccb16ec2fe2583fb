import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './ui/mantine.css';
import './theme.css';
import { publicPaths } from './paths.ts';

function loadPages(): Promise<{ show: () => void }> {
  // The build leaves the page out.
  if (import.meta.env.DEV && location.pathname === '/design') return import('./design.tsx');
  // People without a session load no code of the pages behind the sign-in.
  return publicPaths.includes(location.pathname) ? import('./signed-out.tsx') : import('./signed-in.tsx');
}

void loadPages().then(({ show }) => show());
