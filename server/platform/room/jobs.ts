import { reportDisk } from './disk-reports.ts';
import type { RoomKeeper } from './keep-room.ts';

export const roomTicks = [
  {
    name: 'Keeping room on the disk',
    everyMs: 5_000,
    run: ({ roomKeeper }: { roomKeeper: RoomKeeper }) => roomKeeper.keep(),
  },
  { name: 'Reporting the room on the disk', everyMs: 60_000, run: reportDisk },
];
