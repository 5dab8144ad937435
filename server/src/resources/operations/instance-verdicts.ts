import { ok, unused, type Verdict, wrong } from "./verdict.ts";

// What this instance knows without a question to others.

/** The limit of docs/alerts.md. */
const baseBackupHours = 26;

/** Limits of callers. `limits` is null where they are counted in memory. */
export function limitsVerdict(limits: { readonly problem: string | null } | null): Verdict {
  if (limits === null) return unused("This instance counts calls itself. Several instances need REDIS_URL.");
  if (limits.problem === null) return ok("All instances count calls together, in Redis.");
  return wrong(
    `Each instance counts calls by itself: ${limits.problem.replace(/\.?$/, ".")}`,
    "Bring Redis back: until then a caller has the limits of each instance.",
  );
}

/** Base backups, as the service of this instance makes them. `state` is null without BACKUP_VAULT. */
export function backupsVerdict(
  state: { readonly backedUpAt: Date | null; readonly archivedUntil: Date | null } | null,
  now: Date,
): Verdict {
  const create = "Run: npx beatmarket doctor, which reads the vault, then npx beatmarket backup create.";
  if (state === null) return unused("BACKUP_VAULT is not set here, so this instance makes no backups.");
  if (state.backedUpAt === null) return wrong("This instance knows of no backup yet.", create);
  const hours = Math.floor((now.getTime() - state.backedUpAt.getTime()) / 3_600_000);
  const age = `The newest backup is from ${state.backedUpAt.toISOString()}.`;
  return hours > baseBackupHours ? wrong(age, create) : ok(age);
}
