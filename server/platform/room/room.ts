import { ApiError } from '../errors.ts';
import { type ReadSpace, type RoomState, readSpace, roomStateOf, type Space, sizeText } from './space.ts';

/**
 * Thrown instead of filling a disk. Its code makes it an interruption, like a full disk: work is postponed, not lost.
 */
export class LowOnRoom extends Error {
  readonly code = 'ENOSPC';

  constructor(directory: string, { freeBytes, totalBytes }: Space) {
    super(
      `Only ${sizeText(freeBytes)} of ${sizeText(totalBytes)} are free on the disk that holds ${directory}: nothing large begins until there is more. "assay doctor" says what fills it.`,
    );
    this.name = 'LowOnRoom';
  }
}

/** The space on the disk of one directory. */
export class Room {
  readonly directory: string;
  readonly #read: ReadSpace;

  constructor(directory: string, read: ReadSpace = readSpace) {
    this.directory = directory;
    this.#read = read;
  }

  async find(): Promise<Space & { state: RoomState }> {
    const space = await this.#read(this.directory);
    return { ...space, state: roomStateOf(space) };
  }

  /** Throws LowOnRoom while the disk is nearly full. */
  async require(): Promise<void> {
    const found = await this.find();
    if (found.state === 'low') throw new LowOnRoom(this.directory, found);
  }

  /**
   * Throws 503 with what to do while the disk is nearly full. `what` is refused, such as "imports". Sizes and paths
   * are only logged.
   */
  async requireFor(what: string): Promise<void> {
    try {
      await this.require();
    } catch (cause) {
      throw new ApiError(
        'unavailable',
        `The disk of the server is nearly full, so it accepts no ${what} at the moment; everything else continues. Try again in a minute: nothing of this was kept. The operator has to make room, and "assay doctor" says what fills the disk.`,
        { headers: { 'Retry-After': '60' }, cause },
      );
    }
  }
}
