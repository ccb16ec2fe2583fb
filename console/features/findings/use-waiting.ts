import { useEffect } from 'react';
import { isOnline, onOnlineChange } from '../../api/online.ts';
import { openPending } from '../../api/pending-changes.ts';
import { useProfile } from '../../api/session.ts';
import { sendWaiting } from './change-one.ts';

/** Sends the person's changes that this tab stores whenever the server can be reached. */
export function useWaitingChanges(): void {
  const { id, organization } = useProfile();
  useEffect(() => {
    openPending(id, organization.id);
    void sendWaiting();
    return onOnlineChange(() => isOnline() && void sendWaiting());
  }, [id, organization.id]);
}
