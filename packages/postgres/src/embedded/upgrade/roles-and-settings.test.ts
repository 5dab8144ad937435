import { beforeAll, expect, onTestFinished, test } from "vitest";
import { emptyDatabaseUrl } from "../../../testing/test-database.ts";
import { Connection } from "../../connection/connection.ts";
import { copyGrants, requireSameRolesAndSettings } from "./roles-and-settings.ts";
import type { Ends } from "./rows.ts";

let urls: { old: string; fresh: string };
beforeAll(async () => {
  urls = { old: await emptyDatabaseUrl(), fresh: await emptyDatabaseUrl() };
});

async function connectBoth(): Promise<Ends> {
  const ends = {
    old: new Connection({ connectionString: urls.old }),
    fresh: new Connection({ connectionString: urls.fresh }),
  };
  for (const end of [ends.old, ends.fresh]) {
    await end.connect();
    onTestFinished(() => end.end());
  }
  return ends;
}

test("an error names a grant that the new cluster refuses, and a grant that it lacks", async () => {
  const ends = await connectBoth();
  await expect(requireSameRolesAndSettings(ends)).resolves.toBeUndefined();

  await ends.old.query("create table notes (text text); grant select on notes to public");
  await expect(copyGrants(ends)).rejects.toThrow(
    /^The new PostgreSQL refuses a statement that the old one accepted: grant SELECT on notes to public \(relation "notes" does not exist\)\. Start the previous release, undo the statement/,
  );

  await ends.fresh.query("create table notes (text text)");
  await expect(requireSameRolesAndSettings(ends)).rejects.toThrow(
    /^The new cluster lacks: .*grant SELECT on notes to public/,
  );

  await copyGrants(ends);
  await expect(requireSameRolesAndSettings(ends)).resolves.toBeUndefined();
});
