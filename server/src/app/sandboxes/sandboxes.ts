import { createHash, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { repeat } from "@beatmarket/foundation/repeat.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import { openFiles } from "@beatmarket/storage/open-storage.ts";
import type { PlaceSettings } from "@beatmarket/storage/places.ts";
import {
  addSandbox,
  expireIdle,
  findSandbox,
  findTestMode,
  forgetSandbox,
  listDeleted,
  markDeleted,
  markUsed,
  type NewSandbox,
  type Sandbox,
} from "../../resources/sandboxes/queries.ts";
import type { AppParts } from "../services/scope.ts";
import { KnownSandboxes } from "./known-sandboxes.ts";
import { folderOf, type OpenSandbox, openSandbox, placeOfSandbox, type SandboxParts } from "./open-sandbox.ts";
import type { SandboxServer } from "./sandbox-server.ts";
import { seedSandbox } from "./seed-sandbox.ts";

interface Opened {
  opening: Promise<OpenSandbox>;
  /** How many requests use the sandbox now. */
  users: number;
  usedAtMs: number;
  /** Called when the last request that uses the sandbox has ended. */
  onIdle(): void;
}

/** A measured database. */
interface Size {
  bytes: Promise<number>;
  untilMs: number;
}

/** Each open sandbox has a thread for its index, some connections, and about 40 MB. */
const maxOpen = 8;
const idleMs = 10 * 60_000;
const sweepMs = 60_000;
/** How long a measured size is used. In this time the calls of an account cannot add much to a database. */
const sizeMs = 60_000;
/** A fork or a deletion cuts off requests that take longer, such as a request that waits for an event. */
const closeAfterMs = 5_000;
/** PostgreSQL's code for a database that does not exist. */
const unknownDatabase = "3D000";

const tooManyOpen = () =>
  new ApiError(
    503,
    "server_error",
    "Too many sandboxes in use",
    "Too many sandboxes are in use now; try again in some seconds.",
    {
      headers: { "retry-after": "5" },
    },
  );

/** Creates, opens, closes and deletes the sandboxes of the service. A sandbox opens with its first request. */
export class Sandboxes {
  readonly #parts: SandboxParts;
  readonly #server: SandboxServer;
  readonly #open = new Map<string, Opened>();
  /** The sandboxes that are closing, or stay closed for some work. */
  readonly #closings = new Map<string, Promise<unknown>>();
  /** The work that `alone` runs, by the id of the sandbox. */
  readonly #working = new Map<string, Promise<unknown>>();
  readonly #known: KnownSandboxes;
  /** The sizes of the sandboxes that took changes, until they close. */
  readonly #sizes = new Map<string, Size>();
  #stopSweeping = async () => {};
  #isClosed = false;

  constructor(parts: SandboxParts, server: SandboxServer) {
    this.#parts = parts;
    this.#server = server;
    this.#known = new KnownSandboxes(parts.live.database.query, parts.live.clock);
  }

  get #live(): AppParts {
    return this.#parts.live;
  }

  start(): void {
    this.#server.prepare().catch((err) => {
      // A server that stops interrupts the preparation, and the next server begins again.
      if (!this.#isClosed)
        this.#live.logger.warn({ err }, "the database of test mode cannot be prepared; see SANDBOX_DATABASE_URL");
    });
    this.#stopSweeping = repeat(
      sweepMs,
      () => this.sweep(),
      (err) => this.#live.logger.warn({ err }, "sweeping sandboxes failed; trying again"),
    );
  }

  /** Test mode of an account, created on first use. */
  async testModeOf(userId: number): Promise<Sandbox> {
    const db = this.#live.database.query;
    const testMode = await findTestMode(db, userId);
    if (testMode !== undefined) return testMode;
    const seed = randomBytes(12).toString("base64url");
    return this.create({ user_id: userId, kind: "test", seed, catalogue: "demo" });
  }

  /**
   * Creates a sandbox with its database and catalogue, once for each run of an Idempotency-Key. Throws 409 if the
   * account already has five sandboxes.
   */
  create(request: Omit<NewSandbox, "id">, run: string | null = null): Promise<Sandbox> {
    return this.#make(request, run, async (id) => {
      const name = this.#server.nameOf(id);
      await this.#server.create(name);
      const opened = await this.#server.open(name);
      try {
        await seedSandbox(opened.query, request, new Date(this.#live.clock.nowMs()));
      } finally {
        await opened.close();
      }
    });
  }

  /** Copies a sandbox with its files. Closes the original for the time of the copy. Throws like `create`. */
  fork({ id: from, user_id, kind, seed, catalogue }: Sandbox, run: string | null): Promise<Sandbox> {
    return this.#make({ user_id, kind, seed, catalogue }, run, (id) =>
      this.alone(from, () =>
        this.#whileClosed(from, async () => {
          await this.#server.copy(this.#server.nameOf(from), this.#server.nameOf(id));
          await copyFiles(placeOfSandbox(this.#live, from), placeOfSandbox(this.#live, id));
        }),
      ),
    );
  }

  /** Fills the database and the files of a new sandbox with `fill`, then adds its row. */
  async #make(
    request: Omit<NewSandbox, "id">,
    run: string | null,
    fill: (id: string) => Promise<void>,
  ): Promise<Sandbox> {
    const { clock, database } = this.#live;
    const id = newSandboxId(run);
    if (run !== null) {
      const existing = await findSandbox(database.query, id);
      if (existing !== undefined) return existing;
      // An attempt that a crash interrupted may have left files behind.
      await this.#deleteFiles(id);
    }
    try {
      await fill(id);
      const added = await addSandbox(database.query, { ...request, id }, new Date(clock.nowMs()));
      // A concurrent request created test mode.
      if (added.id !== id) await this.#deleteFiles(id);
      this.#known.forget(id);
      return added;
    } catch (error) {
      await this.#deleteFiles(id);
      throw error;
    }
  }

  /** Finds a sandbox, and the reason why its account is suspended (null if it is not suspended). */
  find(id: string): ReturnType<KnownSandboxes["find"]> {
    return this.#known.find(id);
  }

  /** The time of a sandbox. */
  async timeOf(sandbox: Sandbox): Promise<Date> {
    await this.#closed(sandbox.id);
    if (!this.#open.has(sandbox.id)) return this.#server.timeOf(this.#server.nameOf(sandbox.id));
    return this.use(sandbox, async ({ clock }) => new Date((clock ?? this.#live.clock).nowMs()));
  }

  /**
   * A sentence if the sandbox's database is too large for changes; null if it has room. Measures the database once a
   * minute, or at once if `isNow`.
   */
  async fullness(id: string, isNow = false): Promise<string | null> {
    const nowMs = this.#live.clock.monotonicMs();
    const known = this.#sizes.get(id);
    const size = known !== undefined && nowMs < known.untilMs && !isNow ? known : this.#measure(id, nowMs);
    const { maxBytes } = this.#server;
    const bytes = await size.bytes;
    return bytes <= maxBytes
      ? null
      : `The sandbox has ${inMb(bytes)} MB. A sandbox of more than ${inMb(maxBytes)} MB takes no changes and does not advance. Delete the sandbox, and create another one.`;
  }

  #measure(id: string, nowMs: number): Size {
    const bytes = this.#server.sizeOf(this.#server.nameOf(id));
    const size = { bytes, untilMs: nowMs + sizeMs };
    // Sizes are forgotten when their sandbox closes.
    if (this.#open.has(id)) this.#sizes.set(id, size);
    bytes.catch(() => {
      if (this.#sizes.get(id) === size) this.#sizes.delete(id);
    });
    return size;
  }

  isWorking = (id: string): boolean => this.#working.has(id);

  /** Runs work on a sandbox. Waits until other work that `alone` runs on the sandbox has ended. */
  alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#working.get(id) ?? Promise.resolve();
    const now = before.then(work, work);
    const end = now.catch(() => {});
    this.#working.set(id, end);
    void end.then(() => {
      if (this.#working.get(id) === end) this.#working.delete(id);
    });
    return now;
  }

  /**
   * Opens the sandbox, sets its clock to its present time, and runs work on it. The sandbox stays open until the end.
   */
  async use<T>(sandbox: Sandbox, work: (open: OpenSandbox) => Promise<T>): Promise<T> {
    const { clock, database } = this.#live;
    await this.#closed(sandbox.id);
    const opened = this.#open.get(sandbox.id) ?? this.#openNew(sandbox);
    opened.users++;
    try {
      const open = await opened.opening;
      await markUsed(database.query, sandbox, new Date(clock.nowMs()));
      // Another server may have advanced it.
      await open.clock?.refresh();
      return await open.within(() => work(open));
    } finally {
      opened.users--;
      opened.usedAtMs = clock.monotonicMs();
      if (opened.users === 0) opened.onIdle();
    }
  }

  /** Deletes a sandbox completely: its keys, its database and its files. */
  async delete(id: string): Promise<void> {
    const { clock, database } = this.#live;
    await markDeleted(database.query, id, new Date(clock.nowMs()));
    this.#known.forget(id);
    await this.#close(id);
    await this.#deleteFiles(id);
    await forgetSandbox(database.query, id);
  }

  /** Closes idle sandboxes. Deletes sandboxes that expired, or whose deletion was interrupted. */
  async sweep(): Promise<void> {
    const { clock, database } = this.#live;
    for (const [id, { users, usedAtMs }] of this.#open)
      if (users === 0 && usedAtMs + idleMs < clock.monotonicMs()) await this.#close(id);
    await expireIdle(database.query, new Date(clock.nowMs()));
    for (const id of await listDeleted(database.query)) await this.delete(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stopSweeping();
    await Promise.all([...this.#open.keys()].map((id) => this.#close(id)));
  }

  #openNew(sandbox: Sandbox): Opened {
    if (this.#open.size >= maxOpen) this.#makeRoom();
    const opening = this.#server
      .open(this.#server.nameOf(sandbox.id))
      .then((database) => openSandbox(this.#parts, sandbox, database));
    const opened: Opened = { opening, users: 0, usedAtMs: this.#live.clock.monotonicMs(), onIdle: () => {} };
    this.#open.set(sandbox.id, opened);
    opening.catch((error) => {
      if (this.#open.get(sandbox.id) === opened) this.#open.delete(sandbox.id);
      // A backup without this database was restored, or an upgrade left it behind.
      if ((error as { code?: unknown }).code === unknownDatabase)
        void markDeleted(this.#live.database.query, sandbox.id, new Date(this.#live.clock.nowMs())).catch(() => {});
    });
    return opened;
  }

  /** Closes the sandbox that has been idle for the longest time. Throws 503 if all are in use. */
  #makeRoom(): void {
    const [oldest] = [...this.#open]
      .filter(([, { users }]) => users === 0)
      .sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    if (oldest === undefined) throw tooManyOpen();
    void this.#close(oldest[0]).catch((err) => this.#live.logger.warn({ err }, "a sandbox was not closed"));
  }

  /** Resolves when the sandbox may be opened. */
  async #closed(id: string): Promise<void> {
    for (let closing = this.#closings.get(id); closing !== undefined; closing = this.#closings.get(id)) await closing;
  }

  #close(id: string): Promise<void> {
    return this.#whileClosed(id, async () => {});
  }

  /** Closes a sandbox when its requests have ended, or after `closeAfterMs`. Runs work before it opens again. */
  #whileClosed(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#closings.get(id) ?? Promise.resolve();
    const opened = this.#open.get(id);
    this.#open.delete(id);
    this.#sizes.delete(id);
    const closing = before.then(async () => {
      if (opened !== undefined) await closeOpened(opened);
      await work();
    });
    const end = closing.catch(() => {});
    this.#closings.set(id, end);
    void end.then(() => {
      if (this.#closings.get(id) === end) this.#closings.delete(id);
    });
    return closing;
  }

  async #deleteFiles(id: string): Promise<void> {
    await this.#server.drop(this.#server.nameOf(id));
    const place = placeOfSandbox(this.#live, id);
    const files = await openFiles(place, "STORAGE_URL");
    if ("folder" in place) await rm(place.folder, { recursive: true, force: true });
    else for await (const { key } of files.list("")) await files.delete(key);
    await rm(folderOf(this.#live, id), { recursive: true, force: true });
  }
}

async function closeOpened(opened: Opened): Promise<void> {
  const idle = Promise.withResolvers<void>();
  opened.onIdle = idle.resolve;
  if (opened.users > 0) await withTimeout(idle.promise, closeAfterMs, stillUsed).catch(() => {});
  const open = await opened.opening.catch(() => null);
  await open?.close();
}

const inMb = (bytes: number): number => Math.round(bytes / 1e6);

const stillUsed = () => new Error("Requests still use the sandbox.");

async function copyFiles(from: PlaceSettings, to: PlaceSettings): Promise<void> {
  const [source, target] = [await openFiles(from, "STORAGE_URL"), await openFiles(to, "STORAGE_URL")];
  for await (const { key } of source.list("")) {
    const content = await source.get(key);
    if (content !== null) await target.put(key, content);
  }
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * 16 characters, 80 random bits: an address of a sandbox cannot be guessed. The run of an Idempotency-Key, a random
 * UUID, always gives the same id.
 */
function newSandboxId(run: string | null): string {
  const bytes = run === null ? randomBytes(16) : createHash("sha256").update(run).digest().subarray(0, 16);
  return Array.from(bytes, (byte) => alphabet[byte % 32]).join("");
}
