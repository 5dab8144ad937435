import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { openMailer } from "@beatmarket/mail/mailer.ts";
import { makeInDataFolder } from "@beatmarket/postgres/embedded/data-folder.ts";
import { PartDrafts } from "@beatmarket/resumable-uploads/drafts.ts";
import { expect, onTestFinished, test } from "vitest";

test("nothing is written into the mount point of an unmounted DATA_DIR, and the service continues when it is mounted again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-data-folder-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const dataDir = join(folder, "data");
  const mailer = openMailer({ smtpUrl: undefined, mailFrom: "a@example.com", dataDir }, { info: () => {} });
  const drafts = new PartDrafts(dataDir);
  const scratch = new ScratchFolders(join(dataDir, "scratch"));
  const uses = {
    mail: () => mailer.send({ to: "b@example.com", subject: "Hello", text: "Hello." }),
    uploads: async () => (await drafts.begin()).remove(),
    scratch: () => scratch.use(async () => {}),
    exports: () => makeInDataFolder(dataDir, "exports"),
  };
  for (const use of Object.values(uses)) await use();
  await rename(dataDir, `${dataDir}-disk`);
  for (const isMountPoint of [false, true]) {
    if (isMountPoint) await mkdir(dataDir);
    for (const [name, use] of Object.entries(uses))
      await expect(use(), name).rejects.toMatchObject({
        status: 503,
        cause: { message: expect.stringContaining(dataDir) },
      });
  }
  expect(await readdir(dataDir)).toEqual([]);
  await rm(dataDir, { recursive: true });
  await rename(`${dataDir}-disk`, dataDir);
  for (const use of Object.values(uses)) await use();
  expect((await readdir(dataDir)).sort()).toEqual(["exports", "mail", "scratch", "uploads"]);
});
