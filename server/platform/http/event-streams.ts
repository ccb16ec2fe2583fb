import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { resumeRequest } from '../cost/charge-requests.ts';
import { ApiError } from '../errors.ts';
import type { Actor } from './actor.ts';
import { limited } from './failed-authentications.ts';

/** Streams that one credential may have open at once, on each node. */
const maxStreams = { token: 20, session: 5 } as const;
/** A client that needs more streams reconnects, perhaps to another node, as event sources do by themselves. */
const maxAgeMs = 15 * 60_000;
const tickMs = 1_000;
/**
 * The number of credentials that are rechecked each second without a notification, in turn: tokens and sessions also
 * expire. A check takes 0.3 ms.
 */
const checksPerTick = 50;
/** Half of the database connections: other requests come first. */
const checksAtOnce = 6;

/** A client that stops reading is disconnected when this many bytes are waiting for it. */
const maxUnreadBytes = 256 * 1024;

/** A response of server-sent events. Handlers of such routes return one. */
export class EventStream extends Readable {
  #ended = false;
  #beforeSending: () => Promise<void> | undefined = () => undefined;
  /** The last event that waits to be sent. */
  #last: Promise<void> | null = null;

  override _read(): void {}

  /** Calls `prepare` before each event. The event is sent once the returned promise resolves. */
  beforeSending(prepare: () => Promise<void> | undefined): void {
    this.#beforeSending = prepare;
  }

  send(event: Buffer): void {
    if (this.#ended) return;
    const prepared = this.#beforeSending();
    this.#inOrder(prepared, () => {
      this.push(event);
      if (this.readableLength > maxUnreadBytes) this.destroy();
    });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#inOrder(undefined, () => this.push(null));
  }

  #inOrder(prepared: Promise<void> | undefined, act: () => void): void {
    if (!prepared && !this.#last) {
      act();
      return;
    }
    const mine = Promise.all([this.#last, prepared]).then(() => {
      if (this.#last === mine) this.#last = null;
      if (!this.destroyed) act();
    });
    this.#last = mine;
  }
}

/** Notifications of changed rights. `isListening` is false while none can arrive. */
export type RightsNews = { onChange(listener: () => void): () => void; isListening(): boolean };

type Call = { actor: Actor; request: FastifyRequest; reply: FastifyReply };
type Place = { actor: Actor; request: FastifyRequest; openedAt: number; stream: EventStream | null };

const isRefusal = (error: unknown) => error instanceof ApiError && (error.status === 401 || error.status === 403);

/** Returns whether the rights are unchanged. If not, the client has to make a new request. */
const isSame = (now: Actor, then: Actor) =>
  !now.refusal && now.orgId === then.orgId && now.role === then.role && String(now.scopes) === String(then.scopes);

/**
 * The open streams of server-sent events on this node, a limited number for each credential. A stream ends within a
 * second after its token or session is revoked or its role changes, and after 15 minutes.
 */
export class EventStreams {
  readonly #places = new Map<string, Set<Place>>();
  readonly #authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly #news: RightsNews;
  readonly #stopNews: () => void;
  readonly #onEvent: (actor: Actor) => Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | null = null;
  #again = false;

  /** `onEvent` is called before an event is sent to a caller; the event is sent once its promise resolves. */
  constructor(
    authenticate: (request: FastifyRequest) => Promise<Actor>,
    news: RightsNews,
    onEvent: (actor: Actor) => Promise<void> | undefined = () => undefined,
  ) {
    this.#onEvent = onEvent;
    this.#authenticate = authenticate;
    this.#news = news;
    this.#stopNews = news.onChange(() => this.#check());
  }

  /** Runs a handler that returns a stream of events, and watches that stream. Throws 429 when there are too many. */
  async open<T>({ actor, request, reply }: Call, run: () => Promise<T>): Promise<T> {
    const place: Place = { actor, request, openedAt: performance.now(), stream: null };
    this.#take(place);
    try {
      const result = await run();
      const stream = result as EventStream;
      place.stream = stream;
      stream.beforeSending(() => {
        resumeRequest(request, 'handler');
        return this.#onEvent(place.actor);
      });
      stream.once('close', () => this.#leave(place));
      // This includes the response to HEAD, which has no body.
      reply.raw.once('close', () => stream.destroy());
      return result;
    } catch (error) {
      this.#leave(place);
      throw error;
    }
  }

  #take(place: Place): void {
    const { kind, credentialId } = place.actor;
    const places = this.#places.get(credentialId) ?? new Set();
    if (places.size >= maxStreams[kind]) {
      const oldest = Math.min(...[...places].map(({ openedAt }) => openedAt));
      const seconds = Math.max(1, Math.ceil((oldest + maxAgeMs + tickMs - performance.now()) / 1_000));
      const allowance = { allowed: false, remaining: 0, resetSeconds: seconds, retryAfterSeconds: seconds };
      throw limited(
        allowance,
        `This ${kind} has ${maxStreams[kind]} event streams open, which is the maximum. Close one.`,
      );
    }
    this.#places.set(credentialId, places.add(place));
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref();
  }

  #leave(place: Place): void {
    const { credentialId } = place.actor;
    const places = this.#places.get(credentialId);
    if (!places?.delete(place) || places.size > 0) return;
    this.#places.delete(credentialId);
    if (this.#places.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const tooOld = performance.now() - maxAgeMs;
    for (const place of this.#all()) if (place.openedAt < tooOld) place.stream?.end();
    if (!this.#news.isListening()) {
      this.#check();
      return;
    }
    const turn = [...this.#places].slice(0, checksPerTick);
    for (const [credentialId, places] of turn) {
      // To the end of the line.
      this.#places.delete(credentialId);
      this.#places.set(credentialId, places);
    }
    void this.#checkAll(turn.map(([, places]) => places));
  }

  #all(): Place[] {
    return [...this.#places.values()].flatMap((places) => [...places]);
  }

  /** Checks the rights of every credential, one run at a time. A change during a run triggers another. */
  #check(): void {
    if (this.#checking) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#checking = this.#checkAll([...this.#places.values()]).finally(() => {
      this.#checking = null;
      if (this.#again) this.#check();
    });
  }

  async #checkAll(credentials: Set<Place>[]): Promise<void> {
    const work = async () => {
      for (let places = credentials.pop(); places; places = credentials.pop()) await this.#checkOne(places);
    };
    await Promise.all(Array.from({ length: checksAtOnce }, work));
  }

  async #checkOne(places: Set<Place>): Promise<void> {
    const [first] = places;
    if (!first) return;
    try {
      const actor = await this.#authenticate(first.request);
      for (const place of [...places]) if (!isSame(actor, place.actor)) place.stream?.destroy();
    } catch (error) {
      // An unavailable database is no reason to end a stream.
      if (isRefusal(error)) for (const place of [...places]) place.stream?.destroy();
    }
  }

  /** Ends all streams, so that their clients reconnect to another node. */
  close(): void {
    this.#stopNews();
    clearInterval(this.#timer);
    for (const { stream } of this.#all()) stream?.end();
  }
}
