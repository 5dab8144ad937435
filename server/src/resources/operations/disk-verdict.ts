import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { type DiskName, diskOf, disks, passedThresholds } from "../../metrics/storage.ts";
import { ok, type Verdict, warning, wrong } from "./verdict.ts";

/** Whether the disks of these folders have room. */
export async function spaceVerdict(folders: Partial<Record<DiskName, string>>): Promise<Verdict> {
  const problems: string[] = [];
  const full: DiskName[] = [];
  for (const [name, folder] of Object.entries(folders) as [DiskName, string][]) {
    const disk = await diskOf(folder);
    if (disk === null) continue;
    if (passedThresholds(disk) > 0) full.push(name);
    problems.push(
      `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)} are free for ${disks[name].setting}`,
    );
  }
  const detail = problems.length === 0 ? "No folder is measured yet." : `${problems.join(", ")}.`;
  if (full.length === 0) return ok(detail);
  const fails = full.map((name) => disks[name].fails).join(", ");
  const remedy = `Make room, or ${fails} will fail (docs/operating.md, "What grows, and what bounds it").`;
  return full.includes("data") ? wrong(detail, remedy) : warning(detail, remedy);
}
