import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { Stage } from "../faults/stage/stage.ts";
import type { Report } from "../harness/programmes/report.ts";
import { type Market, openMarket } from "./market.ts";
import { install } from "./tools/install.ts";
import type { Tool } from "./tools/versions.ts";

/**
 * The shared parts of the cases: one server, which the first case that needs it starts, and folders. The end of the
 * stage removes all of it.
 */
export class Bench {
  readonly #stage: Stage;
  /** The number of orders in the case that kills servers. */
  readonly orders: number;
  readonly kills: number;
  /** The minimum number of different checkpoints in that case. */
  readonly checkpoints: number;
  readonly #report: Report;
  #market: Promise<Market> | null = null;
  /** The next slot for a separate server. The bench uses the first two. */
  #nextSlot = 2;

  constructor(
    stage: Stage,
    report: Report,
    { orders, kills, checkpoints }: { orders: number; kills: number; checkpoints: number },
  ) {
    this.#stage = stage;
    this.orders = orders;
    this.kills = kills;
    this.checkpoints = checkpoints;
    this.#report = report;
  }

  market(): Promise<Market> {
    if (this.#market === null) this.progress("starting the server");
    this.#market ??= openMarket(this.#stage, 0);
    return this.#market;
  }

  /** A separate server whose files are in an S3 server, and the folder for the objects of the S3 server. */
  async marketOnS3(): Promise<{ market: Market; objects: string }> {
    this.progress("starting the S3 server");
    const { startS3Server } = await import("@beatmarket/storage/testing/s3-server.ts");
    const s3 = await startS3Server();
    this.#stage.onClose(() => s3.close());
    const market = await openMarket(this.#stage, 1, { STORAGE_URL: s3.storageUrl(), ...s3.credentials });
    return { market, objects: s3.folder };
  }

  /** A separate server with further settings. */
  marketWith(settings: Record<string, string>): Promise<Market> {
    this.progress("starting a server with other settings");
    return openMarket(this.#stage, this.takeSlot(), settings);
  }

  /** The stage for a case that starts and kills servers. */
  get stage(): Stage {
    return this.#stage;
  }

  takeSlot(): number {
    return this.#nextSlot++;
  }

  /** Installs a tool, and returns its folder. Throws `Unavailable` if it cannot be installed. */
  install(tool: Tool): Promise<string> {
    return install(tool, (progress) => this.progress(progress));
  }

  /** An empty folder. */
  async folder(): Promise<string> {
    const folders = join(this.#stage.folder, "cases");
    await mkdir(folders, { recursive: true });
    return mkdtemp(join(folders, "case-"));
  }

  progress(text: string): void {
    this.#report.progress(text);
  }
}
