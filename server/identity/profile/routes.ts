import { emailRoutes } from './email-routes.ts';
import { failedSignInRoutes } from './failed-sign-in-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { personRoutes } from './person-routes.ts';
import { preferencesRoutes } from './preferences-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { twoFactorRoutes } from './two-factor-routes.ts';

export const identityRoutes = [
  ...personRoutes,
  ...emailRoutes,
  ...preferencesRoutes,
  ...passwordRoutes,
  ...twoFactorRoutes,
  ...passkeyRoutes,
  ...sessionRoutes,
  ...failedSignInRoutes,
  ...tokenRoutes,
];
