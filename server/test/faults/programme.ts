import { contractFuzz, keyTiming } from "../abuse/abuse-faults.ts";
import type { Report } from "../harness/programmes/report.ts";
import { clockJumps } from "./cases/clock-jumps.ts";
import { connections } from "./cases/connections.ts";
import { diskFull } from "./cases/disk-full.ts";
import { downloads } from "./cases/downloads.ts";
import { drilledReceiver } from "./cases/drill.ts";
import { expressions } from "./cases/expressions.ts";
import { randomKills } from "./cases/kills.ts";
import { ledgerKills } from "./cases/ledger.ts";
import { logEngine } from "./cases/log-engine.ts";
import { media } from "./cases/media.ts";
import { mirror } from "./cases/mirror.ts";
import { overload } from "./cases/overload.ts";
import { oversizeBodies } from "./cases/oversize-bodies.ts";
import { postgresFull, postgresKilled, postgresPaused, postgresRestarted } from "./cases/postgres-faults.ts";
import { receivers } from "./cases/receivers.ts";
import { redis } from "./cases/redis.ts";
import { rolling } from "./cases/rolling.ts";
import { soak } from "./cases/soak.ts";
import { stopping } from "./cases/stopping.ts";
import { tenYears } from "./cases/ten-years.ts";
import { timeMachine } from "./cases/time-machine.ts";
import { upgradeKills } from "./cases/upgrades.ts";
import { waitingClients } from "./cases/waiting-clients.ts";
import { badReceivers, hangingNames, slowDisk, slowMail } from "./cases/webhook-isolation.ts";
import { catalogueIndex } from "./catalogue-index/catalogue-index.ts";
import type { Extent, Fault } from "./fault.ts";
import { moneyKills } from "./money/money.ts";
import { openSearch, openSearchCut, openSearchFull, openSearchSlow } from "./opensearch/opensearch.ts";
import { publishingKills } from "./publishing/publishing.ts";
import { bucketAway, storageFull } from "./publishing/storage-faults.ts";
import { restores } from "./restore/restore.ts";
import { disksUnmounted } from "./restore/unmounted.ts";
import { Stage } from "./stage/stage.ts";
import { strangers } from "./strangers/strangers.ts";

/** All faults, in the order they run. */
export const faults: readonly Fault[] = [
  randomKills,
  ledgerKills,
  upgradeKills,
  moneyKills,
  publishingKills,
  bucketAway,
  storageFull,
  restores,
  disksUnmounted,
  downloads,
  postgresRestarted,
  postgresKilled,
  postgresPaused,
  postgresFull,
  diskFull,
  redis,
  logEngine,
  clockJumps,
  receivers,
  slowMail,
  hangingNames,
  badReceivers,
  slowDisk,
  connections,
  overload,
  oversizeBodies,
  waitingClients,
  mirror,
  catalogueIndex,
  openSearch,
  openSearchSlow,
  openSearchCut,
  openSearchFull,
  stopping,
  rolling,
  contractFuzz,
  keyTiming,
  strangers,
  expressions,
  media,
  timeMachine,
  tenYears,
  drilledReceiver,
  soak,
];

/** Runs a fault on a new stage. An error counts as a failed check. */
export async function play(
  fault: Fault,
  report: Report,
  extent: Extent,
  { times, seed }: { times?: number | undefined; seed?: string | undefined } = {},
): Promise<void> {
  report.begin(fault.name);
  const stage = await Stage.open();
  try {
    await fault.run(stage, report, extent, times, seed);
  } catch (error) {
    report.check(
      "the fault ran to its end",
      false,
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  } finally {
    await stage.close();
  }
}
