import { lazyRouteComponent } from '@tanstack/react-router';
import { useProfile } from '../api/session.ts';
import { useWaitingChanges } from '../features/findings/use-waiting.ts';
import { ButtonHint } from '../ui/button.tsx';
import { ButtonTooltip } from '../ui/icon-button.tsx';
import { Shell } from './shell.tsx';

const RefusedPage = lazyRouteComponent(() => import('../features/profile/refused-page.tsx'));

function Pages() {
  useWaitingChanges();
  return <Shell />;
}

/** The pages of the organization, or the page with the steps that it requires before it accepts the session. */
export function SignedIn() {
  return <ButtonHint value={ButtonTooltip}>{useProfile().sign_in_refusal ? <RefusedPage /> : <Pages />}</ButtonHint>;
}
