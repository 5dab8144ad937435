import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../testing/accounts.ts";
import { accountNamed, canEnter, chooseAccount } from "./account.ts";

test("only the whole name matches an account, and a negative id is converted to unsigned", () => {
  const passwd =
    "postgresql:x:5:5::/:/bin/sh\npostgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash\nnobody:*:-2:-2:::\n";
  expect(accountNamed("postgres", passwd)).toEqual({ uid: 101, gid: 104 });
  expect(accountNamed("nobody", passwd)).toEqual({ uid: 4294967294, gid: 4294967294 });
  expect(accountNamed("post", passwd)).toBeUndefined();
});

if (process.getuid?.() !== 0)
  test("an ordinary user runs PostgreSQL with its own account", async () => {
    expect(await chooseAccount("/", undefined)).toBeUndefined();
  });
else
  describe("root", () => {
    test("runs PostgreSQL as the owner of the cluster, else of the data folder, else as another account", async () => {
      const dataDir = await temporaryFolder("root");
      const cluster = join(dataDir, "cluster");
      mkdirSync(cluster);
      chownSync(cluster, 12345, 54321);
      expect(await chooseAccount(dataDir, cluster)).toEqual({ uid: 12345, gid: 54321 });
      expect((await chooseAccount(dataDir, undefined))?.uid).toBeGreaterThan(0);
      chownSync(dataDir, 23456, 65432);
      expect(await chooseAccount(dataDir, undefined)).toEqual({ uid: 23456, gid: 65432 });
    });

    test("refuses a cluster that belongs to root", async () => {
      await expect(chooseAccount("/", "/")).rejects.toThrow(
        "/ belongs to root, and PostgreSQL refuses to run as root.",
      );
    });

    test("can determine whether another account may enter a folder", async () => {
      const dataDir = await temporaryFolder("root");
      mkdirSync(join(dataDir, "inner"), { mode: 0o777 });
      const other = { uid: 65534, gid: 65534 };
      expect(canEnter(other, join(dataDir, "inner"))).toBe(false);
      chmodSync(dataDir, 0o711);
      expect(canEnter(other, join(dataDir, "inner"))).toBe(true);
    });
  });
