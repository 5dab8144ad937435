import { openWorld, type World } from "../../sandboxes/seeds/world.ts";
import type { FaultPostgres } from "./postgres.ts";
import type { Stage } from "./stage.ts";

/** The sandboxes of an account, on a PostgreSQL of the stage. */
export async function openStageWorld(stage: Stage): Promise<{ world: World; postgres: FaultPostgres }> {
  const postgres = await stage.postgres();
  const server = {
    admin: { url: postgres.url() },
    owner: null,
    prefix: "sandbox_",
    addressOf: (name: string) => ({ url: postgres.url(name) }),
  };
  return { world: await openWorld(stage.connect(postgres), server, stage.folder), postgres };
}
