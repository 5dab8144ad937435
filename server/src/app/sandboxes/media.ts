import type { JobWorker } from "@beatmarket/jobs/worker.ts";
import { openMediaWorker } from "../media-jobs.ts";
import type { AppParts, DueJob } from "../services/scope.ts";

/** The media jobs of a sandbox, due by the sandbox's clock: analysis of uploads, previews, files of orders. */
export class SandboxMedia implements DueJob {
  readonly name = "media";
  readonly due: DueJob["due"];
  readonly #worker: JobWorker;

  constructor({ logger: log, ...parts }: AppParts) {
    this.#worker = openMediaWorker({ ...parts, log });
    this.due = this.#worker.firstDue;
  }

  run = (isOver: () => boolean): Promise<void> => this.#worker.runDue(isOver);

  /** Aborts the job that runs, and returns it to the queue. */
  stop = (): Promise<void> => this.#worker.stop();
}
