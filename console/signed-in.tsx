import { lazyRouteComponent } from '@tanstack/react-router';
import { useProfile } from './api/session.ts';
import { Shell } from './shell/shell.tsx';

const RefusedPage = lazyRouteComponent(() => import('./features/profile/refused-page.tsx'));

/** The pages of the organization, or of what a person has to do before it accepts the session. */
export const SignedIn = () => (useProfile().sign_in_refusal ? <RefusedPage /> : <Shell />);
