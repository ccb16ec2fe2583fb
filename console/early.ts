// The first script of every page: it asks for what the page shows while the browser still loads the scripts that show it.
import { beginRequests, mayHaveSession } from './api/early.ts';
import { firstRequests } from './first-requests.ts';

const { first, next } = firstRequests(location.pathname, Object.fromEntries(new URLSearchParams(location.search)));
if (first.length > 0 && mayHaveSession()) beginRequests(first, next);
