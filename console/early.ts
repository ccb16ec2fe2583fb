// The first script of every page. It requests the page's data while the browser still loads the other scripts.
import { beginRequests, mayHaveSession } from './api/early.ts';
import { firstRequests } from './first-requests.ts';

const { first, next } = firstRequests(location.pathname, Object.fromEntries(new URLSearchParams(location.search)));
if (first.length > 0 && mayHaveSession()) beginRequests(first, next);
