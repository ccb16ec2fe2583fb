import type { RoomKeeper } from './keep-room.ts';

export const roomTicks = [
  {
    name: 'Keeping room on the disk',
    everyMs: 5_000,
    run: ({ roomKeeper }: { roomKeeper: RoomKeeper }) => roomKeeper.keep(),
  },
];
