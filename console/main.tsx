import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './ui/mantine.css';
import './theme.css';
import { publicPaths } from './paths.ts';

// People without a session load no code of the pages behind the sign-in.
const pages = publicPaths.includes(location.pathname) ? import('./signed-out.tsx') : import('./signed-in.tsx');
void pages.then(({ show }) => show());
