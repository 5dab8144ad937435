import type { MediaResults, MediaTask } from "./media-task.ts";

/** Performs a task in this process. @throws {MediaTaskError} if the file is unusable */
export async function performMediaTask(task: MediaTask): Promise<MediaResults[MediaTask["kind"]]> {
  switch (task.kind) {
    case "analyse":
      return (await import("./analysis/analyse.ts")).analyse(task);
    case "preview":
      return (await import("./preview/make-preview.ts")).makePreview(task);
    case "cover":
      return (await import("./cover/make-cover.ts")).makeCover({ maxMemoryBytes: Number.POSITIVE_INFINITY, ...task });
    case "renditions":
      return (await import("./renditions/make-renditions.ts")).makeRenditions(task);
    case "stems":
      return (await import("./stems/check-stems.ts")).checkStems(task.input);
  }
}
