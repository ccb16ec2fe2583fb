import { lazyRouteComponent } from '@tanstack/react-router';
import { useProfile } from './api/session.ts';
import { useWaitingChanges } from './features/findings/use-waiting.ts';
import { Shell } from './shell/shell.tsx';

const RefusedPage = lazyRouteComponent(() => import('./features/profile/refused-page.tsx'));

function Pages() {
  useWaitingChanges();
  return <Shell />;
}

/** The pages of the organization, or of what a person has to do before it accepts the session. */
export const SignedIn = () => (useProfile().sign_in_refusal ? <RefusedPage /> : <Pages />);
