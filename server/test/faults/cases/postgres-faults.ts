import { setTimeout as sleep } from "node:timers/promises";
import { connectForTest, type TestDatabase } from "../../harness/database/driver.ts";
import type { Fault } from "../fault.ts";
import type { FaultPostgres } from "../stage/postgres.ts";
import { playOutage } from "./outage.ts";

export const postgresRestarted: Fault = {
  name: "postgres-restarted",
  about: "PostgreSQL is restarted as an operator does",
  run: async (stage, report) => {
    const postgres = await stage.postgres();
    await playOutage({ stage, postgres }, report, async () => {
      await postgres.stop();
      await sleep(500);
      await postgres.start();
    });
  },
};

export const postgresKilled: Fault = {
  name: "postgres-killed",
  about: "all processes of PostgreSQL are killed, and it is started again five seconds later",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    await playOutage({ stage, postgres }, report, async (showsOutage) => {
      await postgres.kill();
      if (extent === "whole") await showsOutage();
      await sleep(extent === "whole" ? 5_000 : 500);
      await postgres.start();
    });
  },
};

export const postgresPaused: Fault = {
  name: "postgres-paused",
  about: "all processes of PostgreSQL are paused for 30 seconds",
  run: async (stage, report) => {
    const postgres = await stage.postgres();
    await playOutage({ stage, postgres }, report, async (showsOutage) => {
      postgres.pause();
      await Promise.all([showsOutage(), sleep(30_000)]);
      postgres.resume();
    });
  },
};

export const postgresFull: Fault = {
  name: "postgres-connections",
  about: "other clients take all connections of PostgreSQL for five seconds",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres({ max_connections: 40, superuser_reserved_connections: 3 });
    await playOutage({ stage, postgres }, report, async (showsOutage) => {
      const otherConnections = await takeAllConnections(postgres);
      if (extent === "whole") await showsOutage();
      await sleep(extent === "whole" ? 5_000 : 500);
      await Promise.all(otherConnections.map((other) => other.close()));
    });
  },
};

/** Ends the connections of the server, and takes all connections before the server can reconnect. */
async function takeAllConnections(postgres: FaultPostgres): Promise<TestDatabase[]> {
  const otherConnections: TestDatabase[] = [];
  const operator = connectForTest({ url: postgres.url() }, { max: 1, applicationName: "faults" });
  await operator.driver`select 1`;
  otherConnections.push(operator);
  while (true) {
    const other = connectForTest({ url: postgres.url() }, { max: 1, applicationName: "faults" });
    const isConnected = await other.driver`select 1`.then(
      () => true,
      () => false,
    );
    otherConnections.push(other);
    if (isConnected) continue;
    const [serverConnections] = await operator.driver<{ count: number }[]>`
      select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
      where application_name ^@ 'beatmarket serve '`;
    if (serverConnections?.count === 0) return otherConnections;
  }
}
