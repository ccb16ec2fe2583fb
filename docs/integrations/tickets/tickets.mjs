// Opens a ticket for every open finding that is severe enough, closes it with the finding, and reopens it with the finding.
//   node tickets.mjs github|jira [POSITION-FILE]
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Assay } from '@assay/client';
import { github } from './github.mjs';
import { jira } from './jira.mjs';

const [name, positionFile = 'tickets-position.json'] = process.argv.slice(2);
const trackers = { github, jira };
if (!trackers[name]) throw new Error(`Usage: node tickets.mjs ${Object.keys(trackers).join('|')} [POSITION-FILE]`);
const tracker = trackers[name](process.env);
const severities = (process.env.TICKET_SEVERITIES ?? 'critical,high').split(',');
const pollIntervalMs = Number(process.env.POLL_SECONDS ?? 10) * 1000;

const isOpen = ({ status }) => ['new', 'triaged', 'in_progress'].includes(status);

/** The progress (`since`), and the finding whose ticket is being created (`creating`). */
let position = existsSync(positionFile)
  ? JSON.parse(readFileSync(positionFile, 'utf8'))
  : { since: '2000-01-01T00:00:00Z', creating: null };

function save(changes) {
  position = { ...position, ...changes };
  writeFileSync(`${positionFile}.part`, JSON.stringify(position));
  renameSync(`${positionFile}.part`, positionFile);
}

async function synchronize(finding, tickets) {
  const ticket = tickets.get(finding.id);
  if (!ticket && isOpen(finding) && severities.includes(finding.severity)) {
    save({ creating: finding.id });
    const key = await tracker.create(finding);
    tickets.set(finding.id, { key, open: true });
    save({ creating: null });
    console.log(`Opened ${key} for ${finding.title}.`);
  } else if (ticket && ticket.open !== isOpen(finding)) {
    await (ticket.open ? tracker.close(ticket.key, finding) : tracker.reopen(ticket.key));
    ticket.open = isOpen(finding);
    console.log(`${ticket.open ? 'Reopened' : 'Closed'} ${ticket.key} for ${finding.title}.`);
  }
}

// The last run ended after it requested a ticket and before it received the ticket's key. The tracker's search may need
// a while to find it.
if (position.creating) await pause(tracker.settleMs);
/** Tickets by finding. The tracker stores them, so that none is opened twice even if this program is killed. */
const tickets = await tracker.load();

for await (const finding of new Assay().findings.follow(position.since, {}, { pollIntervalMs })) {
  await synchronize(finding, tickets);
  save({ since: finding.updated_at });
}
